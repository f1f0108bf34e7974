import { job } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { UploadedFiles, UploadSource } from '../shared/api.ts'
import { createPersonalFiles } from './personal-files.ts'
import type { Tables } from './tables.ts'

/** A file of which may be so that it is public, or no longer. */
const settle = job<{ path: string }>('uploads.settle')

/** Files of one text that are looked at. */
const MOST_OF_A_TEXT = 200
const HELD: UploadSource[] = ['post', 'post_attachment', 'avatar']

/** What stands in the records of this plugin. */
export function createUploadedFiles(ctx: ServerContext<Tables>): UploadedFiles {
  /** The part of an address below `/uploads/`; empty for other places. */
  const pathOf = (address: string): string => {
    const own = address.startsWith(`${ctx.site.url}/`) ? address.slice(ctx.site.url.length) : address
    return own.startsWith('/uploads/') ? own.slice('/uploads/'.length) : ''
  }

  ctx.jobs.handle(settle, async ({ path }) => {
    const uses = await ctx.db.query.selectFrom('uploads__use').select('shown').where('path', '=', path).execute()
    const isPublic = uses.length === 0 || uses.some(({ shown }) => shown === 1)
    if (isPublic) return ctx.host.storage.show(path)
    const file = await ctx.db.query.selectFrom('uploads__file').select('person_id').where('path', '=', path).executeTakeFirst()
    await ctx.host.storage.hide(path, file?.person_id)
  })

  const files: Omit<UploadedFiles, 'personalData'> = {
    async find(address) {
      const row = await ctx.db.query
        .selectFrom('uploads__file')
        .select(['source', 'person_id'])
        .where('path', '=', pathOf(address))
        .executeTakeFirst()
      return row && { source: row.source, personId: row.person_id }
    },
    async remove(address) {
      const path = pathOf(address)
      await ctx.db.write(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom('uploads__file').where('path', '=', path).executeTakeFirst()
        if (numDeletedRows === 0n) return
        await tx.deleteFrom('uploads__use').where('path', '=', path).execute()
        ctx.db.afterCommit(() => {
          ctx.host.storage.delete(path).catch((error) => ctx.log.warn('A file could not be deleted', { path, error: String(error) }))
        })
      })
    },
    async hold({ kind, n, authorId }, text, shown) {
      const holder = `${kind} ${n}`
      const named = [...new Set([...text.matchAll(/\/uploads\/([\w./-]+)/g)].map(([, path]) => path as string))].slice(0, MOST_OF_A_TEXT)
      await ctx.db.write(async (tx) => {
        const before = await tx.selectFrom('uploads__use').select(['path', 'shown']).where('holder', '=', holder).execute()
        // Somebody else's file is theirs: what is done with a text that borrows it changes nothing of it.
        const own =
          named.length === 0
            ? []
            : await tx
                .selectFrom('uploads__file')
                .select('path')
                .where('path', 'in', named)
                .where('person_id', '=', authorId)
                .where('source', 'in', HELD)
                .execute()
        const wanted = new Map(before.map(({ path }) => [path, 0]))
        for (const { path } of own) wanted.set(path, Number(shown))
        const known = new Map(before.map((use) => [use.path, use.shown]))
        for (const [path, value] of wanted) {
          if (known.get(path) === value) continue
          await tx
            .insertInto('uploads__use')
            .values({ holder, path, shown: value })
            .onConflict((conflict) => conflict.columns(['holder', 'path']).doUpdateSet({ shown: value }))
            .execute()
          await ctx.jobs.enqueue(settle, { path }, { key: path })
        }
      })
    },
  }
  return { ...files, personalData: createPersonalFiles(ctx, files.remove) }
}
