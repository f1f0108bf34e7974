import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, personalData, reputation } from '../../accounts/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { reviewDesk } from '../../review/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { history, historyEvents, historyLive, revisable } from '../shared/api.ts'
import { createHistory } from './keep.ts'
import { forgetSuggestions, personalHistory } from './personal-data.ts'
import { historyRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { permissions },
  wants: { owners: revisable, reputation, notices, desk: reviewDesk },
  provides: { history, personalData },
  activate({ permissions, owners, reputation, notices, desk }, ctx) {
    const tellWaiting = async () => {
      await ctx.live.push(historyLive.waiting, 'all', {})
      await desk.current?.changed()
      await notices.current?.reviewsChanged()
    }
    const { history, catchUp } = createHistory(ctx, tellWaiting)
    ctx.routes(historyRoutes({ ctx, permissions, owners, reputation, catchUp, tellWaiting }))
    ctx.live.open(historyLive.waiting, async ({ person }) => {
      if (!person) return false
      for (const { service } of owners.current) if ((await permissions.may(person, `${service.kind}.audit`)).allowed) return true
      return false
    })
    ctx.on(historyEvents.audited, async ({ kind, n, revision, editorId, reviewerId, accepted }) => {
      const notice = { to: [editorId], actorId: reviewerId, key: `${revision}`, object: { kind, n } }
      await notices.current?.tell({ ...notice, kind: accepted ? 'history.accepted' : 'history.rejected' })
    })
    ctx.on(accountHooks.removeContent, (personId) => forgetSuggestions(ctx, personId))
    return { history, personalData: personalHistory(ctx) }
  },
})
