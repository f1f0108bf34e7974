import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, reputation } from '../../accounts/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { history, historyEvents, historyLive, revisable } from '../shared/api.ts'
import { createHistory } from './keep.ts'
import { historyRoutes } from './routes.ts'
import { revisionStatus } from './tables.ts'

export default defineServerPlugin({
  needs: { permissions },
  wants: { owners: revisable, reputation, notices },
  provides: { history },
  activate({ permissions, owners, reputation, notices }, ctx) {
    const { history, catchUp } = createHistory(ctx)
    ctx.routes(historyRoutes({ ctx, permissions, owners, reputation, catchUp }))
    ctx.live.open(historyLive.waiting, async ({ person }) => {
      if (!person) return false
      for (const { service } of owners.current) if ((await permissions.may(person, `${service.kind}.audit`)).allowed) return true
      return false
    })
    ctx.on(historyEvents.audited, async ({ kind, n, revision, editorId, reviewerId, accepted }) => {
      const notice = { to: [editorId], actorId: reviewerId, key: `${revision}`, object: { kind, n } }
      await notices.current?.tell({ ...notice, kind: accepted ? 'history.accepted' : 'history.rejected' })
    })
    // What somebody suggested goes with the rest of what they wrote; what was taken is part of others' texts.
    ctx.on(accountHooks.removeContent, async (personId) => {
      await ctx.db.write((tx) =>
        tx
          .deleteFrom('history__revision')
          .where('editor_id', '=', personId)
          .where('status', 'in', [revisionStatus.waiting, revisionStatus.rejected])
          .execute(),
      )
    })
    return { history }
  },
})
