import { isStaff } from '@stoa/sdk'
import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { moderated, purged } from '../../site/shared/api.ts'
import { gate, reviewDesk, reviewEvents, reviewers, reviewLive } from '../shared/api.ts'
import { tellReviewers } from './decide.ts'
import { createGate } from './gate.ts'
import { personalReviews } from './personal-data.ts'
import { reviewRoutes } from './routes.ts'
import { checkSettings } from './settings.ts'

export default defineServerPlugin({
  wants: { owners: moderated, reviewers, notices, log: staffLog },
  provides: { desk: reviewDesk, gate, personalData },
  activate({ owners, reviewers, notices, log }, ctx) {
    const changed = () => ctx.live.push(reviewLive.waiting, 'all', {})
    const deciding = { ctx, owners, reviewers, log, changed }
    checkSettings(ctx)
    ctx.routes(reviewRoutes(deciding))
    ctx.live.open(reviewLive.waiting, ({ person }) => isStaff(person))

    ctx.on(reviewEvents.decided, async ({ kind, n, item, authorId, isApproved, note }) => {
      const notice = { to: [authorId], key: `${item}`, object: { kind, n }, values: { note } }
      await notices.current?.tell({ ...notice, kind: isApproved ? 'review.approved' : note ? 'review.rejected_why' : 'review.rejected' })
    })
    ctx.on(reviewEvents.decided, ({ item, isApproved }) => tellReviewers(deciding, item, isApproved), { name: 'feedback' })

    ctx.on(purged, async ({ kind, ns }) => {
      await ctx.db.write((tx) => tx.deleteFrom('review__item').where('object_kind', '=', kind).where('object_n', 'in', ns).execute())
    })
    return { desk: { changed }, gate: createGate({ ctx, reviewers, owners, changed }), personalData: personalReviews(ctx) }
  },
})
