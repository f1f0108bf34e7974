import type { ServerContext } from '@stoa/sdk/server'
import type { BadgeDefinition } from '../shared/api.ts'
import { badgePoint } from '../shared/api.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

type Contributed = readonly { value: BadgeDefinition | BadgeDefinition[] }[]

/** Badges of all plugins that are on, by name, in their order. */
export function definitionsIn(contributed: Contributed): Map<string, BadgeDefinition> {
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

    /** Once for each set of plugins that is on. @returns whether there is a badge that was never there before */
    async store(): Promise<boolean> {
      const contributed: Contributed = ctx.host.contributions(badgePoint)
      if (stored === contributed) return false
      const added = await ctx.db.write(async (tx) => {
        let isNew = false
        for (const { name, ...definition } of definitionsIn(contributed).values()) {
          const said = { definition: JSON.stringify({ name, ...definition }), texts: JSON.stringify(wordsOf(name)) }
          const row = await tx
            .insertInto('badges__badge')
            .values({ name, ...said, status: badgeStatus.active, past_after: 0 })
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .executeTakeFirst()
          if (row) isNew = true
          else
            await tx
              .updateTable('badges__badge')
              .set(said)
              .where('name', '=', name)
              .where((eb) => eb.or([eb('definition', '!=', said.definition), eb('texts', '!=', said.texts)]))
              .execute()
        }
        return isNew
      })
      stored = contributed
      return added
    },
  }
}
export type Definitions = ReturnType<typeof createDefinitions>
