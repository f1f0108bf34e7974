import type { TextQuery } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchedObject, SearchQuery } from '../shared/api.ts'
import { PARENT_N } from './tables.ts'
import { marks } from './text-index.ts'

export type TextMatch = Required<Pick<TextQuery, 'every' | 'any' | 'marks'>>

/** What the full text decides: words, phrases and marks. Null when the query has none of them. */
export function textOf(query: SearchQuery): TextMatch | null {
  const wanted = query.tags.map(marks.tag)
  if (query.kind) wanted.push(marks.kind(query.kind))
  if (query.authorId !== undefined) wanted.push(marks.author(query.authorId))
  if (query.parent) wanted.push(marks.parent(query.parent))
  const text = { every: [...new Set(query.phrases)], any: [...new Set(query.words)], marks: wanted }
  return text.every.length + text.any.length + text.marks.length > 0 ? text : null
}

/**
 * Conditions on `d`, a document, beyond the full text. Empty when that alone decides.
 * @param kinds kinds that have a source now, or null when that is all kinds of the index
 */
export function conditionsOf(query: SearchQuery, kinds: readonly string[] | null): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  const add = (when: boolean, condition: () => RawBuilder<unknown>) => {
    if (when) conditions.push(condition())
  }
  add(kinds !== null, () => (kinds && kinds.length > 0 ? sql`d.kind in (${sql.join(kinds)})` : sql`1 = 0`))
  const { parent } = query
  // Marks are words, and a tag could be called like a parent.
  if (parent) conditions.push(sql`d.parent_kind = ${parent.kind} and d.${sql.ref(PARENT_N)} = ${parent.n}`)
  add(query.minVotes !== undefined, () => sql`d.votes >= ${query.minVotes}`)
  add(query.noVotes === true, () => sql`d.votes = 0`)
  add(query.minAnswers !== undefined, () => sql`d.answers >= ${query.minAnswers}`)
  add(query.noAnswers === true, () => sql`d.answers = 0`)
  add(query.minViews !== undefined, () => sql`d.views >= ${query.minViews}`)
  add(query.accepted !== undefined, () => sql`d.accepted = ${query.accepted ? 1 : 0}`)
  add(query.among !== undefined, () => sql`(${sql.join(amongOf(query.among ?? []), sql` or `)})`)
  return conditions
}

/** One condition for each kind. */
function amongOf(objects: readonly SearchedObject[]): RawBuilder<unknown>[] {
  const ofKinds = [...Map.groupBy(objects, ({ kind }) => kind)]
  if (ofKinds.length === 0) return [sql`1 = 0`]
  return ofKinds.map(([kind, some]) => sql`(d.kind = ${kind} and d.n in (${sql.join(some.map(({ n }) => n))}))`)
}
