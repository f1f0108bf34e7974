import { buffer } from 'node:stream/consumers'
import type { ServerContext } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import { ZipFile } from 'yazl'
import type { PersonalArchive } from '../shared/api.ts'
import type { Holders } from './data-holders.ts'
import type { Mails } from './mails.ts'
import type { Profiles } from './profiles.ts'
import type { AccountTables } from './tables.ts'

const LIFETIME_SECONDS = 7 * 24 * 3600
/** Of files and texts, before they are compressed; an archive is made in memory. */
const MOST_BYTES = 64 * 1024 * 1024

interface Tools {
  ctx: ServerContext<AccountTables>
  profiles: Profiles
  mails: Mails
  holders: Holders
}

const makeArchive = job<{ personId: number }>('accounts.archive')

/** What somebody sees of the archive of their own data. */
export interface ArchiveState {
  state: 'none' | 'making' | 'ready'
  /** Unix seconds, 0 for nothing; `url` is empty until it is there. */
  asked_at: number
  expires_at: number
  bytes: number
  url: string
}

export interface Archives {
  stateOf(personId: number): Promise<ArchiveState>
  /** Has a new one made in a job, in place of the one before. */
  ask(personId: number): Promise<void>
  remove(personId: number): Promise<void>
}

/** Archives of people's own data: one each, for a week. Nobody but its person and staff who know its unguessable address can load it. */
export function createArchives({ ctx, profiles, mails, holders }: Tools): Archives {
  const rowOf = (personId: number) =>
    ctx.db.query.selectFrom('accounts__archive').selectAll().where('person_id', '=', personId).executeTakeFirst()

  async function forget(personId: number): Promise<void> {
    const row = await rowOf(personId)
    if (!row) return
    if (row.path) await ctx.host.storage.delete(row.path)
    await ctx.db.write((tx) => tx.deleteFrom('accounts__archive').where('person_id', '=', personId).execute())
  }

  ctx.jobs.handle(makeArchive, async ({ personId }) => {
    const principal = await ctx.host.credentials.find(personId)
    if (!principal || principal.state === 'deleted' || (await rowOf(personId))?.made_at !== 0) return
    const data = await zipOf(holders(), personId, ctx)
    const path = `archives/${ctx.host.random(32)}/my-data.zip`
    await ctx.host.storage.put(path, data, 'application/zip')
    await ctx.host.storage.hide(path, personId)
    const { numUpdatedRows } = await ctx.db.write((tx) =>
      tx
        .updateTable('accounts__archive')
        .set({ path, bytes: data.length, made_at: ctx.now() })
        .where('person_id', '=', personId)
        .where('made_at', '=', 0)
        .executeTakeFirst(),
    )
    if (numUpdatedRows === 0n) return ctx.host.storage.delete(path)
    await mails.tell('archive', await profiles.ensure(principal), { link: `${ctx.site.url}/users/settings/privacy` })
  })
  ctx.jobs.every('accounts.archives', 3600, async () => {
    const old = await ctx.db.query
      .selectFrom('accounts__archive')
      .select('person_id')
      .where('made_at', '>', 0)
      .where('made_at', '<=', ctx.now() - LIFETIME_SECONDS)
      .limit(1000)
      .execute()
    for (const { person_id } of old) await forget(person_id)
  })

  return {
    remove: forget,
    async stateOf(personId) {
      const row = await rowOf(personId)
      const expires_at = row?.made_at ? row.made_at + LIFETIME_SECONDS : 0
      if (!row || (expires_at > 0 && expires_at <= ctx.now())) return { state: 'none', asked_at: 0, expires_at: 0, bytes: 0, url: '' }
      const { asked_at, bytes, path } = row
      return { state: path ? 'ready' : 'making', asked_at, expires_at, bytes, url: path && `${ctx.site.url}/uploads/${path}` }
    },
    async ask(personId) {
      await forget(personId)
      await ctx.db.write(async (tx) => {
        const row = { person_id: personId, asked_at: ctx.now() }
        await tx
          .insertInto('accounts__archive')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await ctx.jobs.enqueue(makeArchive, { personId }, { key: String(personId) })
      })
    },
  }
}

/** A folder for each plugin, with a JSON file for each kind of record. */
async function zipOf(holders: ReturnType<Holders>, personId: number, { site, now }: Tools['ctx']): Promise<Buffer> {
  const zip = new ZipFile()
  const leftOut: string[] = []
  let bytes = 0
  const add = (name: string, data: Buffer) => {
    bytes += data.length
    if (bytes <= MOST_BYTES) return zip.addBuffer(data, name)
    bytes -= data.length
    leftOut.push(name)
  }
  // Files come last, so that what is too much is one of them.
  for (const { slug, service } of holders.toReversed()) {
    const parts = new Map<string, string[]>()
    const archive: PersonalArchive = {
      async records(name, records) {
        const part = parts.get(name) ?? []
        parts.set(name, part)
        for (const record of records) part.push(JSON.stringify(record, null, 2))
      },
      async file(name, data) {
        add(`${slug}/files/${name}`, Buffer.from(data))
      },
    }
    await service.export(personId, archive)
    for (const [name, records] of parts) add(`${slug}/${name}.json`, Buffer.from(`[${records.join(',\n')}]\n`))
  }
  const about = { site: site.name, address: site.url, made_at: now(), left_out_since_too_large: leftOut }
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'about.json')
  zip.end()
  return buffer(zip.outputStream)
}
