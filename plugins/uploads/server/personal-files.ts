import type { ServerContext } from '@stoa/sdk/server'
import type { PersonalFiles, UploadedFiles } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** Files whose records are in memory at a time. */
const BATCH = 200

export function createPersonalFiles(ctx: ServerContext<Tables>, remove: UploadedFiles['remove']): PersonalFiles {
  const page = (personId: number, after: number) =>
    ctx.db.query
      .selectFrom('uploads__file')
      .select(['id', 'path', 'source', 'name', 'bytes', 'created_at'])
      .where('person_id', '=', personId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()

  return {
    async export(personId, archive) {
      for (let after = 0; ; ) {
        const rows = await page(personId, after)
        const last = rows.at(-1)
        if (!last) return
        await archive.records(
          'files',
          rows.map(({ id: _, path, ...row }) => ({ ...row, address: `${ctx.site.url}/uploads/${path}` })),
        )
        for (const { path } of rows) {
          // What is hidden, since its text was deleted, is still there for its person under its address.
          const data = await ctx.host.storage.get(path)
          if (data) await archive.file(path, data)
        }
        after = last.id
      }
    },
    async erase({ personId, standInId }) {
      for (;;) {
        const avatars = await ctx.db.query
          .selectFrom('uploads__file')
          .select('path')
          .where('person_id', '=', personId)
          .where('source', '=', 'avatar')
          .limit(BATCH)
          .execute()
        if (avatars.length === 0) break
        for (const { path } of avatars) await remove(`/uploads/${path}`)
      }
      await ctx.db.write(async (tx) => {
        await tx.deleteFrom('uploads__use').where('holder', '=', `person ${personId}`).execute()
        await tx.updateTable('uploads__file').set({ person_id: standInId, name: '' }).where('person_id', '=', personId).execute()
      })
    },
  }
}
