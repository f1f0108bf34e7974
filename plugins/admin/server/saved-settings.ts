import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { kernelHooks, route } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import { personCards } from '../../accounts/shared/api.ts'
import type { staffLog } from '../../audit/shared/api.ts'
import { adminCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'

export interface AdminTables {
  admin__saved: { page: string; saved_at: number; saved_by: number }
}

/** Remembers who saved each page of settings last, and when, and puts it into the log of staff. */
export function rememberSaves(ctx: ServerContext<AdminTables>, log: Wanted<typeof staffLog>): void {
  ctx.on(kernelHooks.settingsSaved, ({ page, label, personId, changes, texts }) =>
    ctx.db.write(async (tx) => {
      if (changes.length > 0) {
        const values = changes.map(({ field, from = null, to = null }) => ({ field, from, to }))
        await log.current?.record({
          actorId: personId,
          action: 'admin.settings',
          object: { kind: 'settings', id: page, label, path: page },
          changes: values.slice(0, 50),
          ...(texts && { texts }),
        })
      }
      const last = { saved_at: ctx.now(), saved_by: personId }
      await tx
        .insertInto('admin__saved')
        .values({ page, ...last })
        .onConflict((conflict) => conflict.column('page').doUpdateSet(last))
        .execute()
    }),
  )
}

export function savedSettingsRoutes(ctx: ServerContext<AdminTables>): Route[] {
  return [
    route(adminCalls.lastSaved, schemas.lastSaved, {
      access: 'admin',
      summary: 'Who saved a page of settings last, and when',
      handle: async ({ query }) => {
        const row = await ctx.db.query.selectFrom('admin__saved').selectAll().where('page', '=', query.page).executeTakeFirst()
        if (!row) return { at: 0, username: '', display_name: '' }
        const cards: Partial<Record<number, { username: string; display_name: string }>> = await ctx.read(
          personCards,
          { ids: [row.saved_by] },
          { otherwise: {} },
        )
        const { username = '', display_name = '' } = cards[row.saved_by] ?? {}
        return { at: row.saved_at, username, display_name }
      },
    }),
  ]
}

/** What a page of settings tells of somebody: that they saved it last. */
export const personalSaves = (ctx: ServerContext<AdminTables>): PersonalData => ({
  async export(personId, archive) {
    const pages = await ctx.db.query
      .selectFrom('admin__saved')
      .select(['page', 'saved_at'])
      .where('saved_by', '=', personId)
      .orderBy('page')
      .execute()
    if (pages.length > 0) await archive.records('saved-settings', pages)
  },
  async erase({ personId, standInId }) {
    await ctx.db.write((tx) => tx.updateTable('admin__saved').set({ saved_by: standInId }).where('saved_by', '=', personId).execute())
  },
})
