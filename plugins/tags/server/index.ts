import { job } from '@stoa/sdk'
import { defineServerPlugin } from '@stoa/sdk/server'
import { experienceHooks, posts } from '../../experiences/shared/api.ts'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { createChoice } from './choice.ts'
import { checkOwnerLists } from './owner-lists.ts'
import { createPostGroups } from './post-groups.ts'
import { createRelations } from './relations.ts'
import { tagRoutes } from './routes.ts'
import { createTagStore } from './tag-store.ts'

const groupPosts = job<Record<string, never>>('tags.groupPosts')

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown },
  wants: { posts },
  async activate({ settings, permissions, markdown, posts }, ctx) {
    const tags = createTagStore(ctx, markdown, settings)
    const groups = createPostGroups(ctx, posts)
    const relations = createRelations(ctx, tags, groups)
    ctx.routes(tagRoutes({ ctx, permissions, settings, tags, groups }))
    checkOwnerLists(ctx)
    ctx.job(groupPosts, () => groups.catchUp())
    if (await groups.isBehind()) await ctx.enqueue(groupPosts, {}, { key: groupPosts.id })
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
    ctx.onReturn(() => relations.recount())
  },
})
