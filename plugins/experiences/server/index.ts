import { defineServerPlugin } from '@stoa/sdk/server'
import { people, personalData, reputation } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { bookmarkable } from '../../bookmarks/shared/api.ts'
import { commentable, threads } from '../../comments/shared/api.ts'
import { statistics } from '../../dashboard/shared/api.ts'
import { followable, follows } from '../../follows/shared/api.ts'
import { history, revisable } from '../../history/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { gate } from '../../review/shared/api.ts'
import { searchFinder, searchSource } from '../../search/shared/api.ts'
import { bins, markdown, moderated, permissions, renderedTexts, rendering, siteHooks, siteSettings } from '../../site/shared/api.ts'
import { addresses } from '../../sitemap/shared/api.ts'
import { uploadedFiles } from '../../uploads/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { postBag, posts } from '../shared/api.ts'
import { tellOfPosts } from './notices.ts'
import { readRoutes } from './routes/read-routes.ts'
import { writeRoutes } from './routes/write-routes.ts'
import {
  createAddresses,
  createBookmarkable,
  createCommentable,
  createFollowable,
  createPosts,
  createRevisable,
  createSearchSource,
  createVotable,
} from './services.ts'
import { postStatistics } from './statistics.ts'
import { stripExtensions } from './store/extensions.ts'
import { createPostStore } from './store/post-store.ts'
import { recomputeHotScores } from './store/recompute-hot-scores.ts'
import { createViews } from './store/views.ts'
import { createBin } from './writing/empty-bin.ts'
import { followPeople, personalPosts } from './writing/follow-people.ts'
import { linkPostNumbers } from './writing/link-post-numbers.ts'
import { createModerated } from './writing/moderated.ts'
import { createModeration } from './writing/moderation.ts'
import { createPublishing } from './writing/publish.ts'
import { createRenderedPosts } from './writing/rendered-posts.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown, rendering, people },
  wants: { finder: searchFinder, history, reputation, threads, files: uploadedFiles, follows, notices, log: staffLog, gate },
  provides: {
    posts,
    bookmarkable,
    commentable,
    followable,
    revisable,
    moderated,
    votable,
    searchSource,
    bin: bins,
    rendered: renderedTexts,
    addresses,
    personalData,
    statistics,
  },
  activate(
    { settings, permissions, markdown, rendering, people, finder, history, reputation, threads, files, follows, notices, log, gate },
    ctx,
  ) {
    const store = createPostStore(ctx, people, threads, history)
    const publishing = createPublishing({ ctx, store, permissions, markdown, rendering, people, files, history, gate })
    const moderation = createModeration({ ctx, store, permissions, reputation, files, log })
    ctx.routes(readRoutes({ ctx, views: createViews(ctx), finder }))
    ctx.routes(writeRoutes({ ctx, permissions, publishing, moderation, history }))
    ctx.bags.own(postBag, {
      async strip(slug) {
        await stripExtensions(ctx, slug)
        await history.current?.strip('experience', slug)
      },
    })
    ctx.on(siteHooks.beforeRender, linkPostNumbers)
    followPeople(ctx, moderation)
    tellOfPosts({ ctx, store, people, follows, notices })
    ctx.jobs.every('cool-down', 3600, () => recomputeHotScores(ctx, store))
    return {
      posts: createPosts({ ctx, store, publishing }),
      bookmarkable: createBookmarkable({ store }),
      commentable: createCommentable({ ctx, store }),
      followable: createFollowable({ store }),
      revisable: createRevisable({ ctx, store, publishing }),
      moderated: createModerated({ ctx, publishing, moderation }),
      votable: createVotable({ store }),
      searchSource: createSearchSource({ ctx }),
      addresses: createAddresses({ ctx, settings }),
      bin: createBin(ctx, log),
      rendered: createRenderedPosts(ctx, store, markdown),
      personalData: personalPosts(ctx, moderation),
      statistics: postStatistics(ctx),
    }
  },
})
