import { defineServerPlugin, kernelHooks } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { awards, badgeLive, badgePast, badgePasts } from '../shared/api.ts'
import { createAwarding } from './award.ts'
import { createDefinitions } from './definitions.ts'
import { followDeeds } from './follow-deeds.ts'
import { createPast } from './past.ts'
import { createPersonalData } from './personal-data.ts'
import { badgeRoutes } from './routes.ts'
import { tellOfAwards } from './tell-of-awards.ts'

export default defineServerPlugin({
  wants: { posts, pasts: badgePasts, notices, log: staffLog },
  provides: { awards, data: personalData, past: badgePast },
  async activate({ posts, pasts, notices, log }, ctx) {
    const definitions = createDefinitions(ctx)
    const awarding = createAwarding(ctx, definitions)
    const past = createPast(ctx, { awarding, definitions, pasts })
    ctx.live.open(badgeLive.awarded, ({ person, topic }) => topic === String(person?.id))
    ctx.routes(badgeRoutes(ctx, { definitions, past, log }))
    followDeeds(ctx, awarding, posts)
    tellOfAwards(ctx, notices)
    past.watch()
    ctx.on(kernelHooks.installed, () => past.beginHere())
    ctx.plugin.onReturn(() => past.again())
    // Rows of new badges, and what is left of the past from before a restart.
    if (ctx.site.installed) await past.soon()
    return { awards: awarding, data: createPersonalData(ctx, awarding), past }
  },
})
