import { tap, webHooks } from '@stoa/sdk/web'
import type { AnswerView } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import { firstAnswers } from './types.ts'

/** What search engines show of an answer is shorter than this. */
const LONGEST_TEXT = 1000
/** Beside the accepted one. */
const MOST_SUGGESTED = 5

const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['#39', "'"],
  ['nbsp', ' '],
])

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => entities.get(name) as string)
    .replace(/\s+/g, ' ')
    .trim()

function answerOf({ id, html, vote_count, create_time, user_info }: AnswerView, page: string, base: string) {
  const text = plain(html)
  const author = user_info && { author: { '@type': 'Person', name: user_info.display_name, url: `${base}/users/${user_info.username}` } }
  return {
    '@type': 'Answer',
    text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text,
    upvoteCount: vote_count,
    dateCreated: new Date(create_time * 1000).toISOString(),
    url: `${page}/${id}`,
    ...author,
  }
}

/** What machines read of a question: how it was answered. */
export default tap(webHooks.structuredData, async (about, { api, site }) => {
  const question = about.data.mainEntity as { identifier?: string; url?: string; answerCount?: number } | undefined
  if (about.data['@type'] !== 'QAPage' || !question?.identifier || question.answerCount === 0) return
  const { count, list } = await api.send(answerCalls.page, { query: firstAnswers(question.identifier, 'default') })
  const open = list.filter(({ status }) => status === 1)
  const accepted = open.find((answer) => answer.accepted === 2)
  const suggested = open.filter((answer) => answer !== accepted).slice(0, MOST_SUGGESTED)
  const base = site().general?.site_url ?? ''
  const read = (answer: AnswerView) => answerOf(answer, question.url ?? '', base)
  return {
    ...about,
    data: {
      ...about.data,
      mainEntity: {
        ...question,
        answerCount: count,
        ...(accepted && { acceptedAnswer: read(accepted) }),
        ...(suggested.length > 0 && { suggestedAnswer: suggested.map(read) }),
      },
    },
  }
})
