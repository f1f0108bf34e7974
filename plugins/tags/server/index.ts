import { defineServerPlugin } from '@stoa/sdk/server'
import { experienceEvents, experienceHooks, posts } from '../../experiences/shared/api.ts'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { createChoice } from './choice.ts'
import { checkOwnerLists } from './owner-lists.ts'
import { createRelations } from './relations.ts'
import { tagRoutes } from './routes.ts'
import { createTagStore } from './tag-store.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown },
  wants: { posts },
  activate({ settings, permissions, markdown }, ctx) {
    const tags = createTagStore(ctx, markdown, settings)
    const relations = createRelations(ctx, tags)
    ctx.routes(tagRoutes({ ctx, permissions, settings, tags }))
    checkOwnerLists(ctx)
    ctx.on(experienceHooks.beforePublish, createChoice({ ctx, permissions, settings }))
    ctx.on(experienceHooks.stored, ({ n, draft, authorId, listed }) =>
      relations.set(n, draft.tags ?? [], listed, ctx.request()?.person?.id ?? authorId),
    )
    ctx.on(experienceHooks.listingChanged, ({ n, listed }) => relations.list(n, listed))
    ctx.on(experienceHooks.mayEdit, async (object, person) => {
      if (object.kind !== 'tag') return undefined
      await permissions.require(person, 'tag.edit_without_review')
      return true
    })
    // While this plugin is on, the hooks keep the counts; the subscription is there to learn that it was off.
    ctx.on(experienceEvents.changed, () => undefined, { whileOff: 'resync', resync: () => relations.recount() })
  },
})
