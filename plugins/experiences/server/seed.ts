import type { SeedContext } from '@stoa/sdk/seed'
import { defineSeeder, inBatches } from '@stoa/sdk/seed'
import type { Kysely } from 'kysely'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import { markdown } from '../../site/shared/api.ts'
import type { SeededPost, SeededPosts } from '../shared/api.ts'
import { seedHtml } from './seed/seed-html.ts'
import { groupPosts } from './store/groups.ts'
import { hotScore } from './store/hot-score.ts'
import type { Tables } from './store/tables.ts'

const YEARS_2 = 2 * 365 * 86_400
const CHUNK = 2000

/** Posts in both languages: more of them lately, few with many readers, votes and answers. */
export default defineSeeder({
  order: 30,
  async seed(context) {
    const { posts, insert, log } = context
    const first = (await context.lastId('experiences__post')) + 1
    const people = context.seeded<{ internal: SeededPeople }>('accounts').internal
    const authors = people?.ids ?? [1]
    const written = new Map<number, number>()
    const toUrl = urlTitles(context)
    let listed = 0
    let open = 0
    for (let at = 0; at < posts; at += CHUNK) {
      const made = Array.from({ length: Math.min(CHUNK, posts - at) }, (_, index) =>
        post(context, first + at + index, at + index, authors, toUrl),
      )
      await insert(
        'experiences__post',
        made.map((entry) => entry.row),
      )
      await insert(
        'experiences__body',
        made.map((entry) => entry.body),
      )
      for (const { row } of made) {
        if (row.show !== 1) continue
        written.set(row.author_id, (written.get(row.author_id) ?? 0) + 1)
        listed += 1
        if (row.status === 1 && row.answer_count === 0) open += 1
      }
    }
    await context.continueIds('experiences__post')
    await people?.count(context.db, 'experience_count', written)
    await (context.db as Kysely<Tables>)
      .updateTable('experiences__counter')
      .set((eb) => ({ listed: eb('listed', '+', listed), open: eb('open', '+', open), version: eb('version', '+', 1) }))
      .where('id', '=', 1)
      .execute()
    log(`${posts} experiences`)
    const internal: SeededPosts = {
      size: posts,
      each: (db) => each(db as Kysely<Tables>, first),
      settle,
      group: groupWith(context),
      ...counting,
    }
    return { posts, internal }
  },
})

/** Posts lie denser towards now: a site that grows. */
function post(context: SeedContext, id: number, index: number, authors: number[], toUrl: (title: string) => string) {
  const { random, skewed, text, now, posts } = context
  const created_at = now - Math.floor((1 - Math.sqrt((index + random()) / posts)) * YEARS_2)
  const language = text.language()
  const title = text.title(language).slice(0, 150)
  const content = text.withMarkers(text.body(language))
  const html = seedHtml(content)
  const status = random() < 0.02 ? 2 : 1
  // Everybody votes and answers once, nobody votes on their own.
  const counts = {
    vote_count: random() < 0.05 ? -skewed(Math.min(4, authors.length)) : skewed(Math.min(40, authors.length)),
    answer_count: random() < 0.3 ? 0 : skewed(Math.min(12, authors.length + 1)),
    view_count: skewed(4000),
  }
  const heat = {
    views: counts.view_count,
    answers: counts.answer_count,
    votes: counts.vote_count,
    answerVotes: 0,
    createdAt: created_at,
    updatedAt: created_at,
  }
  const row = {
    id,
    author_id: authors[skewed(authors.length)] ?? 1,
    status,
    show: random() < 0.005 ? 2 : 1,
    pin: 1,
    created_at,
    active_at: created_at,
    ...counts,
    hot_score: now - created_at < 90 * 86_400 ? hotScore(heat, now) : 0,
    title,
    url_title: toUrl(title),
    excerpt: content
      .replace(/[*`#-]/g, '')
      .replace(/\s+/g, ' ')
      .slice(0, 240),
  }
  return { row, body: { post_id: id, close_type: status === 2 ? 63 : 0, closed_at: status === 2 ? created_at : 0, content, html } }
}

/** Path parts as the site makes them, each character asked once: pinyin of a whole title costs too much for many. */
function urlTitles({ services }: SeedContext): (title: string) => string {
  const site = services(markdown)[0]?.service
  const known = new Map<string, string>()
  const part = (character: string) => {
    if (!known.has(character)) known.set(character, site?.urlTitle(character) ?? 'topic')
    return known.get(character)
  }
  const spaced = (title: string) => title.replace(/\p{Script=Han}/gu, (character) => ` ${part(character)} `)
  return (title) =>
    spaced(title)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 150) || 'topic'
}

function each(db: Kysely<Tables>, first: number): AsyncIterable<SeededPost[]> {
  const rows = db.selectFrom('experiences__post').select(['id', 'author_id', 'created_at', 'answer_count', 'vote_count', 'show'])
  return inBatches(rows, first, (row) => ({
    n: row.id,
    authorId: row.author_id,
    createdAt: row.created_at,
    answers: row.answer_count,
    votes: row.vote_count,
    accepted: row.answer_count > 0 && row.id % 5 < 2,
    listed: row.show === 1,
  }))
}

/** Posts with the same amount are counted up together. */
const addTo =
  (counter: 'follow_count' | 'collection_count') =>
  async (db: unknown, amounts: ReadonlyMap<number, number>): Promise<void> => {
    for (const [amount, posts] of Map.groupBy(amounts, ([, amount]) => amount)) {
      for (let at = 0; at < posts.length; at += CHUNK) {
        const ns = posts.slice(at, at + CHUNK).map(([n]) => n)
        await (db as Kysely<Tables>)
          .updateTable('experiences__post')
          .set((eb) => ({ [counter]: eb(counter, '+', amount) }))
          .where('id', 'in', ns)
          .execute()
      }
    }
  }
const counting = { addFollowers: addTo('follow_count'), addBookmarks: addTo('collection_count') }

const groupWith =
  ({ dialect }: SeedContext): SeededPosts['group'] =>
  async (db, kind, posts) =>
    void (await groupPosts(db as Kysely<Tables>, dialect, kind, posts))

const settle: SeededPosts['settle'] = async (db: Kysely<Tables>, rows) => {
  for (const { n, lastAnswer, personId, at, acceptedAnswer, answerVotes } of rows) {
    const change = {
      last_answer: lastAnswer,
      answerer_id: personId,
      answered_at: at,
      active_at: at,
      accepted_answer: acceptedAnswer,
      answer_votes: answerVotes,
    }
    await db.updateTable('experiences__post').set(change).where('id', '=', n).execute()
  }
}
