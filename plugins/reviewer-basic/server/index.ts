import { defineServerPlugin } from '@stoa/sdk/server'
import { reviewers } from '../../review/shared/api.ts'
import { compile, findIn, problemOf } from './words.ts'

interface Settings {
  /** Lists, a word or a pattern a line. */
  review_post_keywords: string
  disallowed_keywords: string
}

export default defineServerPlugin({
  provides: { reviewer: reviewers },
  activate(_, ctx) {
    const { settings } = ctx.plugin
    settings.onSave((values) => {
      const problems = (['review_post_keywords', 'disallowed_keywords'] as const).flatMap((field) => {
        const problem = problemOf(String(values[field] ?? ''))
        return problem ? [[field, ctx.host.texts.text(problem.key, { line: problem.line })]] : []
      })
      return problems.length > 0 ? Object.fromEntries(problems) : undefined
    })

    const compiled = new Map<string, ReturnType<typeof compile>>()
    /** Compiled once for what the lists are now. */
    const listOf = (text: string) => {
      const known = compiled.get(text)
      if (known) return known
      if (compiled.size > 1) compiled.clear()
      const list = compile(text)
      compiled.set(text, list)
      return list
    }
    return {
      reviewer: {
        id: 'reviewer-basic',
        name: 'reviewer_basic.name',
        async review({ title, content, tags }) {
          const { review_post_keywords, disallowed_keywords } = settings.get<Settings>()
          const text = [title, content, ...tags].join('\n')
          const found = (list: string) => (list.trim() ? findIn(listOf(list), text) : undefined)
          const rejected = found(disallowed_keywords)
          if (rejected !== undefined) return { verdict: 'reject', reason: { text: 'reviewer_basic.found', params: { word: rejected } } }
          const held = found(review_post_keywords)
          if (held !== undefined) return { verdict: 'wait', reason: { text: 'reviewer_basic.found', params: { word: held } } }
          return { verdict: 'approve' }
        },
      },
    }
  },
})
