import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { moderated } from '../../site/shared/api.ts'
import type { Gate, Opinion, Reviewer, reviewers, Submission, Verdict } from '../shared/api.ts'
import { reviewErrors } from '../shared/api.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'
import { itemStatus } from './tables.ts'

interface Needs {
  ctx: ServerContext<Tables>
  reviewers: Wanted<typeof reviewers>
  owners: Wanted<typeof moderated>
  changed(): Promise<void>
}

const strictness = { approve: 0, wait: 1, reject: 2 } as const
const outcomes = ['publish', 'wait', 'reject'] as const

/** What a text has to pass before it is published. */
export function createGate({ ctx, reviewers, owners, changed }: Needs): Gate {
  const settings = () => ctx.plugin.settings.get<Settings>()

  /** What newcomers write waits until so much of theirs is published. */
  const newcomers: Reviewer = {
    id: 'review.newcomers',
    name: 'review.newcomers.name',
    async review(_, author) {
      let missing = Number(settings().newcomers)
      for (const { service } of missing > 0 ? owners.current : []) {
        missing -= await service.countOf(author.id, missing)
        if (missing <= 0) break
      }
      return missing > 0 ? { verdict: 'wait', reason: { text: 'review.newcomers.reason' } } : { verdict: 'approve' }
    },
  }

  /** What the owner of the site chose for a reviewer that says nothing. @throws `error.review.unavailable` */
  const withoutOpinion = ({ name }: Reviewer): Opinion => {
    const { on_failure } = settings()
    if (on_failure === 'refuse') throw reviewErrors.unavailable({ reviewer: name })
    return on_failure === 'publish' ? { verdict: 'approve' } : { verdict: 'wait', reason: { text: 'review.unavailable' } }
  }

  /** @returns undefined when it throws or takes too long */
  async function opinionOf(reviewer: Reviewer, text: Submission, author: Person): Promise<Opinion | undefined> {
    const signal = AbortSignal.timeout(Number(settings().deadline) * 1000)
    const late = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('Took too long')), { once: true }),
    )
    try {
      return await Promise.race([reviewer.review(text, author, signal), late])
    } catch (error) {
      ctx.log.warn(`${reviewer.id} has no opinion`, { reason: error instanceof Error ? error.message : String(error) })
      return undefined
    }
  }

  return {
    async ask(text, author) {
      const all = [newcomers, ...reviewers.current.map(({ service }) => service)]
      if (isStaff(author)) return { outcome: 'publish', reasons: [] }
      const said = await Promise.all(all.map((reviewer) => opinionOf(reviewer, text, author)))
      const opinions = all.map((reviewer, index) => ({ reviewer, ...(said[index] ?? withoutOpinion(reviewer)) }))
      const strictest = Math.max(...opinions.map(({ verdict }) => strictness[verdict]))
      return {
        outcome: outcomes[strictest] ?? 'wait',
        reasons: opinions
          .filter(({ verdict }) => verdict !== 'approve')
          .map(({ reviewer: { id, name }, reason }) => ({ by: id, name, reason: reason ?? null })),
      }
    },

    async keep({ kind, n, authorId }, verdict) {
      await ctx.db.write(async (tx) => {
        const isWaiting = verdict.outcome === 'wait'
        const item = {
          object_kind: kind,
          object_n: n,
          author_id: authorId,
          status: isWaiting ? itemStatus.waiting : itemStatus.rejected,
          reasons: JSON.stringify(verdict.reasons),
          created_at: ctx.now(),
          decided_at: isWaiting ? 0 : ctx.now(),
        }
        await tx.insertInto('review__item').values(item).execute()
        if (isWaiting) await changed()
      })
    },

    refuse(verdict) {
      throw reviewErrors.edit_refused({ reason: reasonText(ctx, verdict.reasons) })
    },
  }
}

/** Why something was not let pass, in the language of the request. */
export function reasonText(ctx: ServerContext<Tables>, reasons: Verdict['reasons']): string {
  return reasons.flatMap(({ reason }) => (reason ? [ctx.host.texts.text(reason.text, reason.params)] : [])).join(' ')
}
