import type { ServerContext } from '@stoa/sdk/server'
import type { UploadedFiles } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** What stands in the records of this plugin. */
export function createUploadedFiles(ctx: ServerContext<Tables>): UploadedFiles {
  /** The part of an address below `/uploads/`; empty for other places. */
  const pathOf = (address: string): string => {
    const own = address.startsWith(`${ctx.site.url}/`) ? address.slice(ctx.site.url.length) : address
    return own.startsWith('/uploads/') ? own.slice('/uploads/'.length) : ''
  }

  return {
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
        ctx.db.afterCommit(() => {
          ctx.storage.delete(path).catch((error) => ctx.log.warn('A file could not be deleted', { path, error: String(error) }))
        })
      })
    },
  }
}
