import type { Extensions } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { statement, uniqueOr } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import type { History, ObjectName, RevisionText, TextChange } from '../shared/api.ts'
import { historyErrors, historyEvents } from '../shared/api.ts'
import type { RevisionRow, RevisionTable, Tables } from './tables.ts'
import { revisionStatus, waitingStatus } from './tables.ts'

const LONGEST_SUMMARY = 255

const AT_ONCE = 200

const keyOf = ({ title, content, tags, slug_name }: RevisionText): string =>
  JSON.stringify([title, content, tags.map((tag) => tag.slug_name), slug_name])
const bagKey = (bag: Extensions): string => JSON.stringify(Object.entries(bag).sort(([one], [other]) => (one < other ? -1 : 1)))
/** Names of tags may have been written anew; and with one of both the values of other plugins may not have been kept. */
export const isSame = (one: RevisionText, other: RevisionText): boolean =>
  keyOf(one) === keyOf(other) && (!one.extensions || !other.extensions || bagKey(one.extensions) === bagKey(other.extensions))

export const textIn = (row: Pick<RevisionRow, 'text'>): RevisionText => JSON.parse(row.text) as RevisionText

/** What was kept of an object last: the text it has, unless it changed while nobody kept it. */
export async function lastOf(tx: Kysely<Tables>, { kind, n }: ObjectName) {
  return tx
    .selectFrom('history__revision')
    .select(['id', 'position', 'text'])
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .where('position', '>', 0)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

type NewRevision = Omit<Selectable<RevisionTable>, 'id' | 'base_id' | 'reviewer_id' | 'reviewed_at'>

/** Each new text comes by here. */
const storing = statement((db: Kysely<Tables>, revision: NewRevision) => db.insertInto('history__revision').values(revision))

/** Keeps what owners of texts tell. @param tellWaiting other suggestions wait than before */
export function createHistory(ctx: ServerContext<Tables>, tellWaiting: () => Promise<void>) {
  const columns = ({ kind, n, root }: Pick<TextChange, 'kind' | 'n' | 'root'>) => ({
    object_kind: kind,
    object_n: n,
    root_kind: root.kind,
    root_n: root.n,
  })

  /** Makes sure that a revision holds the text an object has. @returns it */
  const catchUp = async (
    tx: Kysely<Tables>,
    object: Pick<TextChange, 'kind' | 'n' | 'root' | 'origin'>,
    text: RevisionText,
  ): Promise<{ id: number; position: number }> => {
    const last = await lastOf(tx, object)
    if (last && isSame(textIn(last), text)) {
      if (!textIn(last).extensions && Object.keys(text.extensions ?? {}).length > 0)
        await tx
          .updateTable('history__revision')
          .set({ text: JSON.stringify(text) })
          .where('id', '=', last.id)
          .execute()
      return last
    }
    const { personId, at } = object.origin
    return tx
      .insertInto('history__revision')
      .values({
        ...columns(object),
        status: revisionStatus.stored,
        position: (last?.position ?? 0) + 1,
        ...(last ? { editor_id: 0, created_at: ctx.now(), stored_at: ctx.now() } : { editor_id: personId, created_at: at, stored_at: at }),
        text: JSON.stringify(text),
      })
      .returning(['id', 'position'])
      .executeTakeFirstOrThrow()
  }

  const history: History = {
    async record(change) {
      if (change.before && isSame(change.before, change.after)) return
      await ctx.db.write(async (tx) => {
        const { position } = change.before ? await catchUp(tx, change, change.before) : { position: 0 }
        await storing(tx, {
          ...columns(change),
          editor_id: change.editorId,
          status: revisionStatus.stored,
          position: position + 1,
          created_at: ctx.now(),
          stored_at: ctx.now(),
          summary: change.summary.slice(0, LONGEST_SUMMARY),
          text: JSON.stringify(change.after),
        })
        if (change.before) await ctx.emit(historyEvents.edited, { kind: change.kind, n: change.n, editorId: change.editorId })
      })
    },

    async note(happening) {
      await ctx.db.write(async (tx) => {
        await tx
          .insertInto('history__note')
          .values({
            ...columns(happening),
            person_id: happening.personId,
            type: happening.type,
            created_at: ctx.now(),
            html: happening.comment ?? '',
          })
          .execute()
        if (happening.type !== 'deleted') return
        const { numUpdatedRows } = await tx
          .updateTable('history__revision')
          .set({ status: revisionStatus.rejected, reviewer_id: happening.personId, reviewed_at: ctx.now() })
          .where('object_kind', '=', happening.kind)
          .where('object_n', '=', happening.n)
          .where('status', '=', waitingStatus)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) await tellWaiting()
      })
    },

    async takeBack({ kind, n, type }) {
      await ctx.db.write(async (tx) => {
        const last = await tx
          .selectFrom('history__note')
          .select('id')
          .where('object_n', '=', n)
          .where('object_kind', '=', kind)
          .where('type', '=', type)
          .where('taken_back_at', '=', 0)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (last) await tx.updateTable('history__note').set({ taken_back_at: ctx.now() }).where('id', '=', last.id).execute()
      })
    },

    async suggest(change) {
      const suggesting = ctx.db.write(async (tx) => {
        const base = await catchUp(tx, change, change.before)
        const { id } = await tx
          .insertInto('history__revision')
          .values({
            ...columns(change),
            editor_id: change.editorId,
            status: revisionStatus.waiting,
            base_id: base.id,
            created_at: ctx.now(),
            summary: change.summary.slice(0, LONGEST_SUMMARY),
            text: JSON.stringify(change.after),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await ctx.emit(historyEvents.suggested, { kind: change.kind, n: change.n, revision: id, editorId: change.editorId })
        await tellWaiting()
      })
      const { kind, n } = change
      await suggesting.catch((error: unknown) => {
        throw uniqueOr(error, { 'history__revision.object_kind,object_n': () => historyErrors.review_underway({ kind, n }) })
      })
    },

    async refuseWaiting({ kind, n }) {
      const waiting = await ctx.db.query
        .selectFrom('history__revision')
        .select('id')
        .where('object_kind', '=', kind)
        .where('object_n', '=', n)
        .where('status', '=', waitingStatus)
        .executeTakeFirst()
      if (waiting) throw historyErrors.review_underway({ kind, n })
    },

    async strip(kind, slug) {
      for (let after = 0; ; ) {
        const rows = await ctx.db.write(async (tx) => {
          const found = await tx
            .selectFrom('history__revision')
            .select(['id', 'text'])
            .where('object_kind', '=', kind)
            .where('id', '>', after)
            .where('text', 'like', '%"extensions":{"%')
            .orderBy('id')
            .limit(AT_ONCE)
            .execute()
          for (const row of found) {
            const { extensions = {}, ...text } = textIn(row)
            const { [slug]: gone, ...others } = extensions
            if (gone === undefined) continue
            const stripped = JSON.stringify({ ...text, extensions: others })
            await tx.updateTable('history__revision').set({ text: stripped }).where('id', '=', row.id).execute()
          }
          return found
        })
        if (rows.length < AT_ONCE) return
        after = rows.at(-1)?.id ?? after
      }
    },
  }
  return { history, catchUp }
}
