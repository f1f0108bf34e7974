import type { ServerContext } from '@stoa/sdk/server'
import type { BadgeDefinition } from '../shared/api.ts'
import { badgePoint } from '../shared/api.ts'
import type { Tables } from './tables.ts'
import { badgeStatus, heldBadges } from './tables.ts'

type Contributed = readonly { slug: string; value: BadgeDefinition | BadgeDefinition[] }[]

/** Badges of all plugins that are on, by name, in their order. */
export function definitionsIn(contributed: readonly Pick<Contributed[number], 'value'>[]): Map<string, BadgeDefinition> {
  return new Map(contributed.flatMap(({ value }) => value).map((definition) => [definition.name, definition]))
}

/** Name and description of a badge in one language. */
export type Words = [name: string, description: string]

/** Sees to it that every contributed badge has a row, with what its awards show when its plugin is gone. */
export function createDefinitions(ctx: ServerContext<Tables>) {
  let stored: Contributed | undefined

  const wordsOf = (name: string): Record<string, Words> =>
    Object.fromEntries(
      ctx.host.texts
        .languages()
        .map(({ code }) => [code, [ctx.host.texts.text(`${name}.name`, {}, code), ctx.host.texts.text(`${name}.description`, {}, code)]]),
    )

  return {
    get: (name: string) => definitionsIn(ctx.host.contributions(badgePoint)).get(name),

    /** Once for each set of plugins that is on. @returns whether the set was another than last time */
    async store(): Promise<boolean> {
      const contributed: Contributed = ctx.host.contributions(badgePoint)
      if (stored === contributed) return false
      // Before this plugin is one of them, all badges would be gone, and back at its first job: with all of the past, at every start.
      if (!contributed.some(({ slug }) => slug === ctx.plugin.slug)) return false
      await ctx.db.write(async (tx) => {
        const found = definitionsIn(contributed)
        const rows = await heldBadges(tx, ctx.db.dialect)
        const known = new Map(rows.map((row) => [row.name, row.is_contributed]))
        for (const definition of found.values()) {
          const { name } = definition
          const said = { definition: JSON.stringify(definition), texts: JSON.stringify(wordsOf(name)), is_contributed: 1 }
          // One that returns is looked up again: its deeds went on meanwhile.
          const isBack = known.get(name) === 0
          await tx
            .insertInto('badges__badge')
            .values({ name, ...said, status: badgeStatus.active, past_after: 0 })
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...said, ...(isBack && { past_after: 0 }) }))
            .execute()
        }
        const gone = rows.filter((row) => row.is_contributed && !found.has(row.name)).map((row) => row.name)
        if (gone.length > 0) await tx.updateTable('badges__badge').set({ is_contributed: 0 }).where('name', 'in', gone).execute()
      })
      stored = contributed
      return true
    },
  }
}
export type Definitions = ReturnType<typeof createDefinitions>
