import { createHash } from 'node:crypto'
import type { MarkdownIt } from 'markdown-it'
import createParser from 'markdown-it'
import footnote from 'markdown-it-footnote'
import type { Markdown } from '../shared/api.ts'
import { excerpt } from './excerpt.ts'
import { highlight } from './highlight.ts'
import { headingIds, mentions, tableClasses, taskLists } from './markdown-rules.ts'
import { sanitizerFor } from './sanitize.ts'
import { urlTitle } from './url-title.ts'

/** Renders posts, comments and profiles. Raw HTML is parsed as Markdown has it and then goes through one allow-list. */
export function createMarkdown(siteUrl: () => string): Markdown {
  const plain = parser()
  const withMentions = parser().use(mentions)
  const clean = sanitizerFor(siteUrl)
  return {
    render(source, { profile = 'post', mentions: mention = false } = {}) {
      const docId = createHash('sha256').update(source).digest('hex').slice(0, 6)
      return clean((mention ? withMentions : plain).render(source, { docId }), profile).trim()
    },
    excerpt,
    urlTitle,
  }
}

function parser(): MarkdownIt {
  return createParser({ html: true, breaks: true, linkify: true, highlight }).use(footnote).use(taskLists).use(tableClasses).use(headingIds)
}
