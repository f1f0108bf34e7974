import { defineServerPlugin } from '@stoa/sdk/server'
import { people, reputation } from '../../accounts/shared/api.ts'
import { commentable, threads } from '../../comments/shared/api.ts'
import { searchFinder, searchSource } from '../../search/shared/api.ts'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { posts } from '../shared/api.ts'
import { readRoutes } from './routes/read-routes.ts'
import { writeRoutes } from './routes/write-routes.ts'
import { createCommentable, createPosts, createSearchSource, createVotable } from './services.ts'
import { createPostStore } from './store/post-store.ts'
import { recomputeHotScores } from './store/recompute-hot-scores.ts'
import { createViews } from './store/views.ts'
import { followPeople } from './writing/follow-people.ts'
import { createModeration } from './writing/moderation.ts'
import { createPublishing } from './writing/publish.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown, people },
  wants: { finder: searchFinder, reputation, threads },
  provides: { posts, commentable, votable, searchSource },
  activate({ permissions, markdown, people, finder, reputation, threads }, ctx) {
    const store = createPostStore(ctx, people, threads)
    const publishing = createPublishing({ ctx, store, permissions, markdown, people })
    const moderation = createModeration({ ctx, store, permissions, reputation })
    ctx.routes(readRoutes({ ctx, views: createViews(ctx), finder }))
    ctx.routes(writeRoutes({ ctx, permissions, publishing, moderation }))
    followPeople(ctx, moderation)
    ctx.every('cool-down', 3600, () => recomputeHotScores(ctx, store))
    return {
      posts: createPosts({ ctx, store, publishing }),
      commentable: createCommentable({ ctx, store }),
      votable: createVotable({ store }),
      searchSource: createSearchSource({ ctx }),
    }
  },
})
