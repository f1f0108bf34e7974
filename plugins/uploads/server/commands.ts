import type { Check, CheckContext } from '@stoa/sdk/commands'
import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { storageFolders } from './storage-folders.ts'
import type { Tables } from './tables.ts'

const BATCH = 200
const NAMED = 3
const MB = 1024 * 1024
/** A file is there before its record is. */
const FRESH_SECONDS = 3600

/** Counts and a few examples: a site may have lost all of them. */
interface Tally {
  count: number
  bytes: number
  first: string[]
}

const tally = (): Tally => ({ count: 0, bytes: 0, first: [] })

function add(to: Tally, path: string, bytes: number): void {
  to.count++
  to.bytes += bytes
  if (to.first.length < NAMED) to.first.push(path)
}

const examples = ({ count, first }: Tally): string => `${first.join(', ')}${count > first.length ? ', …' : ''}`

/** Records without a file. */
async function missingFiles({ db, files }: CheckContext): Promise<{ missing: Tally; records: number }> {
  const missing = tally()
  let records = 0
  for (let after = 0; ; ) {
    const rows = await (db as Kysely<Tables>)
      .selectFrom('uploads__file')
      .select(['id', 'path', 'bytes'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const there = await Promise.all(rows.map(({ path }) => files.has(path)))
    for (const [index, { path, bytes }] of rows.entries()) if (!there[index]) add(missing, path, bytes)
    records += rows.length
    const last = rows.at(-1)
    if (!last) return { missing, records }
    after = last.id
  }
}

/** Files without a record, in the folders of this plugin. */
async function orphanedFiles({ db, files, now }: CheckContext): Promise<Tally> {
  const orphaned = tally()
  const look = async (batch: { path: string; bytes: number }[]) => {
    const paths = batch.map(({ path }) => path)
    const rows = await (db as Kysely<Tables>).selectFrom('uploads__file').select('path').where('path', 'in', paths).execute()
    const known = new Set(rows.map(({ path }) => path))
    for (const { path, bytes } of batch) if (!known.has(path)) add(orphaned, path, bytes)
  }
  for (const folder of storageFolders) {
    let batch: { path: string; bytes: number }[] = []
    for await (const { path, bytes, changedAt } of files.below(folder)) {
      if (path.endsWith('.owner') || changedAt > now - FRESH_SECONDS) continue
      batch.push({ path, bytes })
      if (batch.length < BATCH) continue
      await look(batch)
      batch = []
    }
    if (batch.length > 0) await look(batch)
  }
  return orphaned
}

const missing: Check = async (context) => {
  const { missing, records } = await missingFiles(context)
  if (missing.count === 0) return [{ level: 'well', text: `${records} uploaded files are all there.` }]
  const text = `${missing.count} of ${records} uploaded files are gone: ${examples(missing)}`
  return [{ level: 'wrong', text, advice: 'Put the folder "uploads" of the data directory back from a copy of the site.' }]
}

const orphaned: Check = async (context) => {
  const orphaned = await orphanedFiles(context)
  if (orphaned.count === 0) return []
  const text = `${orphaned.count} files (${(orphaned.bytes / MB).toFixed(1)} MB) belong to no upload: ${examples(orphaned)}`
  return [
    {
      level: 'notice',
      text,
      advice: 'An upload that was cut off may have left them; keep a copy before you delete any from the folder "uploads".',
    },
  ]
}

export default defineCommands({ checks: [missing, orphaned] })
