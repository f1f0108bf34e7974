import type { Page } from '@stoa/sdk'
import { read, rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Actor } from '../shared/api.ts'
import { actorNamed, actors } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Tables } from './tables.ts'
import type { ChangeView } from './words.ts'
import { inLanguage } from './words.ts'

type Query = Static<typeof schemas.page.query>
type Entry = Static<typeof schemas.entry>

export const logPage = read<Query, Page<Entry>>('audit.page')
export const loggedActions = read<object, { name: string; label: string }[]>('audit.actions')

const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** What staff did, the last first. */
export async function readLog(ctx: ReadContext<Tables>, query: Query): Promise<Page<Entry>> {
  const { size, offset } = rowsOfPage(query)
  let entries = ctx.db.selectFrom('audit__entry')
  if (query.actor) {
    const actorId = await ctx.read(actorNamed, { username: query.actor }, { otherwise: null })
    if (actorId === null) return { count: 0, list: [] }
    entries = entries.where('actor_id', '=', actorId)
  }
  if (query.action) entries = entries.where('action', '=', query.action)
  if (query.object_kind) entries = entries.where('object_kind', '=', query.object_kind)
  if (query.object_id) entries = entries.where('object_id', '=', query.object_id)
  if (query.since) entries = entries.where('created_at', '>=', query.since)
  if (query.until) entries = entries.where('created_at', '<', query.until)
  const text = query.query?.trim()
  if (text) {
    const pattern = containing(text)
    entries = entries.where(sql<boolean>`(lower(object_label) like ${pattern} escape '\\' or lower(note) like ${pattern} escape '\\')`)
  }
  const { count } = await entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await entries.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const people = new Map(
    rows.map(({ actor_id: n }) => [
      n,
      { n, view: { id: n > 0 ? String(n) : '', username: '', display_name: n > 0 ? `user${n}` : '', avatar: '' } },
    ]),
  )
  await ctx.decorate(
    actors,
    [...people.values()].filter(({ n }) => n > 0),
  )
  const languages = [ctx.language, ctx.site.language]
  const list = rows.map((row): Entry => {
    return {
      id: row.id,
      created_at: row.created_at,
      actor: people.get(row.actor_id)?.view as Actor,
      action: row.action,
      phrase: inLanguage<string>(row.phrases, languages) ?? row.action,
      object: { kind: row.object_kind, id: row.object_id, label: row.object_label, path: row.object_path },
      note: row.note,
      changes: inLanguage<ChangeView[]>(row.changes, languages) ?? [],
    }
  })
  return { count: Number(count), list }
}

/** What the log can be filtered by: everything that was ever logged. */
export async function readActions(ctx: ReadContext<Tables>): Promise<{ name: string; label: string }[]> {
  const rows = await ctx.db.selectFrom('audit__action').selectAll().orderBy('name').limit(500).execute()
  const languages = [ctx.language, ctx.site.language]
  return rows.map(({ name, phrases }) => ({ name, label: (inLanguage<string>(phrases, languages) ?? name).replaceAll('{{object}}', '…') }))
}
