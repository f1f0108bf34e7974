import { defineServerPlugin } from '@stoa/sdk/server'
import { people, personalData, reputation } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { commentable, threads } from '../../comments/shared/api.ts'
import { statistics } from '../../dashboard/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { follows } from '../../follows/shared/api.ts'
import { history, revisable } from '../../history/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { gate } from '../../review/shared/api.ts'
import { searchSource } from '../../search/shared/api.ts'
import { bins, markdown, moderated, permissions, renderedTexts, rendering, siteSettings } from '../../site/shared/api.ts'
import { uploadedFiles } from '../../uploads/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { answerLive } from '../shared/api.ts'
import { correctCountsOnce } from './correct-counts.ts'
import { revisableAnswers } from './edit-answer.ts'
import { createBin, followPurge } from './empty-bin.ts'
import { followParents } from './follow-parents.ts'
import { sayWhoMayEdit } from './may-edit.ts'
import { moderatedAnswers } from './moderated.ts'
import { tellOfAnswers } from './notices.ts'
import { personalAnswers } from './personal-data.ts'
import { renderedAnswers } from './rendered-answers.ts'
import { readRoutes, writeRoutes } from './routes.ts'
import { experienceNumber } from './rows.ts'
import { commentableAnswers, searchableAnswers, votableAnswers } from './services.ts'
import { answerStatistics } from './statistics.ts'

export default defineServerPlugin({
  needs: { posts, settings: siteSettings, permissions, markdown, rendering, people },
  wants: { history, reputation, threads, files: uploadedFiles, follows, notices, log: staffLog, owners: moderated, gate },
  provides: { commentable, revisable, moderated, votable, searchSource, bin: bins, rendered: renderedTexts, personalData, statistics },
  async activate(services, ctx) {
    const capabilities = { ctx, ...services }
    ctx.routes(readRoutes)
    ctx.routes(writeRoutes(capabilities))
    followParents(capabilities)
    await correctCountsOnce(capabilities)
    followPurge(capabilities)
    sayWhoMayEdit(capabilities)
    tellOfAnswers(capabilities)
    ctx.live.open(answerLive.added, async ({ person, topic }) => {
      if (ctx.site.isPrivate && !person) return false
      const n = experienceNumber(ctx.ids, topic)
      const post = n === undefined ? undefined : await services.posts.find(n)
      return post !== undefined && services.posts.mayView(person, post)
    })
    return {
      commentable: commentableAnswers(capabilities),
      revisable: revisableAnswers(capabilities),
      moderated: moderatedAnswers(capabilities),
      votable: votableAnswers(capabilities),
      searchSource: searchableAnswers(capabilities),
      bin: createBin(capabilities),
      rendered: renderedAnswers(capabilities),
      personalData: personalAnswers(capabilities),
      statistics: answerStatistics(ctx),
    }
  },
})
