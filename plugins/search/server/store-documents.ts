import { createHash } from 'node:crypto'
import type { FullText, TextRow } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SearchDocument } from '../shared/api.ts'
import { newDocumentIds } from './document-ids.ts'
import type { DocumentRow, SearchTables } from './tables.ts'
import { PARENT_N, VERSION } from './tables.ts'
import { marks } from './text-index.ts'

/** SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const MOST_VALUES = 30_000

type Columns = Omit<DocumentRow, 'id'>
type Tx = Kysely<SearchTables>

/** What storing changed, for whoever keeps dependent documents. */
export interface StoredChange {
  document: SearchDocument
  /** Title, text, tags or visibility are others than before. */
  changed: boolean
}

/**
 * Writes documents of one kind into the index, new and known ones, visible and hidden ones.
 * Only what reads differently touches the full text; votes and views are columns.
 */
export async function storeDocuments(tx: Tx, index: FullText, documents: readonly SearchDocument[]): Promise<StoredChange[]> {
  const changes: StoredChange[] = []
  for (const [kind, ofKind] of Map.groupBy(documents, (document) => document.kind)) {
    changes.push(...(await storeKind(tx, index, kind, ofKind)))
  }
  return changes
}

async function storeKind(tx: Tx, index: FullText, kind: string, documents: readonly SearchDocument[]): Promise<StoredChange[]> {
  const stored = await storedRows(
    tx,
    kind,
    documents.map(({ n }) => n),
  )
  const fresh = documents.filter(({ n }) => !stored.has(n))
  const freshIds = await newDocumentIds(tx, fresh)
  const idOf = new Map(fresh.map((document, position) => [document.n, freshIds[position] as number]))
  const rows = documents.map((document) => {
    const before = stored.get(document.n)
    const id = before?.id ?? (idOf.get(document.n) as number)
    const after = columns(document)
    const changed = before?.text_hash !== after.text_hash || before.visible !== after.visible
    return { document, before, id, after, changed }
  })
  const inserted = rows.filter(({ before }) => !before)
  for (const part of portions(inserted.map(({ id, after }) => ({ id, ...after }))))
    await tx.insertInto('search__document').values(part).execute()
  const updated = rows.filter(({ before, after }) => before && !isSame(before, after))
  for (const { id, after } of updated) await tx.updateTable('search__document').set(after).where('id', '=', id).execute()

  const touched = rows.filter(({ changed }) => changed)
  await index.remove(
    tx,
    touched.filter(({ before }) => before?.visible === 1).map(({ id }) => id),
  )
  await index.put(
    tx,
    touched.filter(({ document }) => document.visible).map(({ id, document }) => textRow(id, document)),
  )
  if (inserted.length + updated.length > 0) await nextVersion(tx)
  return rows.map(({ document, changed }) => ({ document, changed }))
}

/** Rows of one statement, as many as the limit of values allows: each statement makes the full text write out what it has collected. */
function* portions<T extends object>(rows: readonly T[]): Generator<T[]> {
  const size = Math.floor(MOST_VALUES / Object.keys(rows[0] ?? { one: 1 }).length)
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

/** Removes documents for good, such as those whose post is gone. */
export async function removeDocuments(tx: Tx, index: FullText, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await index.remove(tx, ids)
  await tx.deleteFrom('search__document').where('id', 'in', ids).execute()
  await nextVersion(tx)
}

/** What readers remember of the index is valid as long as its version. */
async function nextVersion(tx: Tx): Promise<void> {
  await tx
    .insertInto('search__progress')
    .values({ kind: VERSION, position: 1, done: 0 })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet((eb) => ({ position: eb('search__progress.position', '+', 1) })))
    .execute()
}

async function storedRows(tx: Tx, kind: string, ns: readonly number[]): Promise<Map<number, DocumentRow>> {
  if (ns.length === 0) return new Map()
  const rows = await tx.selectFrom('search__document').select(columnNames).where('kind', '=', kind).where('n', 'in', ns).execute()
  return new Map(rows.map((row) => [row.n, row]))
}

const columnNames = [
  'id',
  'kind',
  'n',
  'parent_kind',
  PARENT_N,
  'votes',
  'answers',
  'views',
  'accepted',
  'visible',
  'active_at',
  'text_hash',
] as const satisfies (keyof DocumentRow)[]

function columns(document: SearchDocument): Columns {
  return {
    kind: document.kind,
    n: document.n,
    parent_kind: belongsTo(document).kind,
    [PARENT_N]: belongsTo(document).n,
    votes: document.votes,
    answers: document.answers,
    views: document.views,
    accepted: document.accepted ? 1 : 0,
    visible: document.visible ? 1 : 0,
    active_at: document.activeAt,
    text_hash: textHash(document),
  }
}

const isSame = (before: DocumentRow, after: Columns): boolean =>
  Object.entries(after).every(([column, value]) => before[column as keyof Columns] === value)

const belongsTo = ({ kind, n, parent }: SearchDocument) => parent ?? { kind, n }

/** A part shows the title of what it belongs to but is not found by it: otherwise every part would come along. */
const ownTitle = ({ parent, title }: SearchDocument): string => (parent ? '' : title)

const marksOf = (document: SearchDocument): string[] => [
  marks.kind(document.kind),
  marks.author(document.authorId),
  marks.parent(belongsTo(document)),
  ...new Set(document.tags.map(marks.tag)),
]

const textRow = (id: number, document: SearchDocument): TextRow => ({
  id,
  title: ownTitle(document),
  body: document.text,
  marks: marksOf(document),
})

/** Of everything that stands in the full text: what is unchanged is not indexed again. */
function textHash(document: SearchDocument): string {
  return createHash('sha1')
    .update([ownTitle(document), document.text, ...marksOf(document)].join('\0'))
    .digest('base64url')
}
