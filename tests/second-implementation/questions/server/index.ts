import { defineServerPlugin } from '@stoa/sdk/server'
import { commentable, threads } from '../../../../plugins/comments/shared/api.ts'
import { posts } from '../../../../plugins/experiences/shared/api.ts'
import { searchSource } from '../../../../plugins/search/shared/api.ts'
import { permissions, rendering } from '../../../../plugins/site/shared/api.ts'
import { votable } from '../../../../plugins/votes/shared/api.ts'
import { createQuestions } from './questions.ts'
import { questionRoutes } from './routes.ts'
import { commentableQuestions, searchableQuestions, votableQuestions } from './services.ts'

/** The contract of experiences, offered by somebody else: plain questions, kept in one table. */
export default defineServerPlugin({
  needs: { permissions, rendering },
  wants: { threads },
  provides: { posts, commentable, votable, searchSource },
  activate(services, ctx) {
    const questions = createQuestions({ ctx, ...services })
    ctx.routes(questionRoutes(ctx, questions))
    return {
      posts: questions.posts,
      commentable: commentableQuestions(ctx, questions),
      votable: votableQuestions(questions),
      searchSource: searchableQuestions(ctx),
    }
  },
})
