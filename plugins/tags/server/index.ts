import { job } from '@stoa/sdk'
import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { experienceHooks, posts } from '../../experiences/shared/api.ts'
import { followable, follows } from '../../follows/shared/api.ts'
import { history, revisable } from '../../history/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { markdown, permissions, purged, renderedTexts, rendering, siteSettings } from '../../site/shared/api.ts'
import { addresses } from '../../sitemap/shared/api.ts'
import { createAddresses } from './addresses.ts'
import { createChoice } from './choice.ts'
import { createRevisable, requireEdit } from './edit-tag.ts'
import { noSuchTag } from './errors.ts'
import { createFirstTags } from './first-tags.ts'
import { createFollowable } from './followable.ts'
import { tellOfNewPosts } from './notices.ts'
import { checkOwnerLists } from './owner-lists.ts'
import { personalTags } from './personal-data.ts'
import { createPostGroups } from './post-groups.ts'
import { createRelations } from './relations.ts'
import { createRenderedTags } from './rendered-tags.ts'
import { tagRoutes } from './routes.ts'
import { tagById } from './tag-rows.ts'
import { createTagStore } from './tag-store.ts'

const groupPosts = job<Record<string, never>>('tags.groupPosts')

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown, rendering },
  wants: { posts, follows, history, inbox: notices, log: staffLog },
  provides: { followable, revisable, rendered: renderedTexts, addresses, personalData },
  async activate({ settings, permissions, markdown, rendering, posts, follows, history, inbox, log }, ctx) {
    const tags = createTagStore(ctx, { markdown, rendering, settings, history })
    const groups = createPostGroups(ctx, posts)
    const relations = createRelations(ctx, tags, groups)
    ctx.routes(tagRoutes({ ctx, permissions, settings, tags, groups, follows, history, log }))
    checkOwnerLists(ctx)
    createFirstTags(ctx, tags)
    tellOfNewPosts(ctx, { follows, inbox })
    ctx.jobs.handle(groupPosts, () => groups.catchUp())
    if (await groups.isBehind()) await ctx.jobs.enqueue(groupPosts, {}, { key: groupPosts.id })
    ctx.on(experienceHooks.beforePublish, createChoice({ ctx, permissions, settings, tags }))
    ctx.on(experienceHooks.stored, ({ draft, authorId, ...post }) =>
      relations.set(post, draft.tags ?? [], ctx.host.request()?.person?.id ?? authorId),
    )
    ctx.on(experienceHooks.listingChanged, ({ n, listed }) => relations.list(n, listed))
    ctx.on(purged, ({ kind, ns }) => (kind === 'experience' ? relations.forget(ns) : undefined))
    ctx.on(experienceHooks.mayEdit, async (object, person) => {
      if (object.kind !== 'tag') return undefined
      const row = await tagById(ctx.db.query, object.n)
      if (!row) throw noSuchTag(object.n)
      await requireEdit({ permissions, history }, person, row)
      return true
    })
    ctx.plugin.onReturn(() => relations.recount())
    return {
      followable: createFollowable(ctx),
      revisable: createRevisable(ctx, tags),
      rendered: createRenderedTags(ctx, markdown),
      addresses: createAddresses(ctx),
      personalData: personalTags(ctx),
    }
  },
})
