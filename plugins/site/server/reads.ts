import { defineReads, isStaff, reading } from '@stoa/sdk/server'
import { permissionVerdicts, reasonsOf, siteGroup, standingOf } from '../shared/api.ts'
import { judge, neededRank, permissionRules } from './permissions.ts'
import { reasonsFor } from './reasons.ts'
import { readReviewing, reviewing } from './reviewing.ts'
import { readGroup } from './settings.ts'
import { legalText, readLegalText, readSiteInfo, siteInfo } from './site-info.ts'

const settingsColumns = { table: 'site__setting', columns: ['content'] }

export default defineReads({
  functions: [
    reading(siteGroup, (ctx, { group }) => ctx.remember(`site.group.${group}`, () => readGroup(ctx.db, ctx.site, group), settingsColumns)),
    reading(siteInfo, (ctx) => readSiteInfo(ctx)),
    reading(legalText, readLegalText),
    reading(reviewing, readReviewing),
    reading(reasonsOf, async (ctx, { objectType, action }) => reasonsFor(objectType, action, (key) => ctx.text(key)) ?? null),
    reading(permissionVerdicts, async (ctx, { actions }) => {
      const rules = permissionRules(ctx)
      const privileges = await ctx.remember('site.group.privileges', () => readGroup(ctx.db, ctx.site, 'privileges'), settingsColumns)
      const asksRank = ctx.person !== null && !isStaff(ctx.person) && ctx.read.has(standingOf)
      const rank = ctx.person && asksRank ? await ctx.call(standingOf, { id: ctx.person.id }) : 0
      return Object.fromEntries(
        actions.map((action) => {
          const rule = rules.get(action)
          return [action, judge(rule, neededRank(rule, privileges), ctx.person, rank)]
        }),
      )
    }),
  ],
})
