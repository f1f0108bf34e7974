import type { Decorated, Page } from '@stoa/sdk'
import { read, rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { escapeHtml } from '@stoa/sdk/server'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { CommentView } from '../../comments/shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Tables } from './tables.ts'

type Own = Static<(typeof schemas.own)['reply']>['list'][number]

export const ownMutes = read<Static<typeof schemas.own.query>, Page<Own>>('muting.own')

/** Whom the caller has muted, the last first. */
export async function readOwn(ctx: ReadContext<Tables>, query: Static<typeof schemas.own.query>): Promise<Page<Own>> {
  const own = ctx.db.selectFrom('muting__mute').where('person_id', '=', ctx.person?.id ?? 0)
  const { size, offset } = rowsOfPage(query)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await own.select(['muted_id', 'created_at']).orderBy('id', 'desc').limit(size).offset(offset).execute()
  const cards = await ctx.read(personCards, { ids: rows.map(({ muted_id }) => muted_id) })
  return {
    count: Number(count),
    list: rows.map(({ muted_id, created_at }) => ({ created_at, person: cards[muted_id] ?? nobody(muted_id) })),
  }
}

export async function readAmong(ctx: ReadContext<Tables>, { ids }: { ids: readonly number[] }): Promise<number[]> {
  if (!ctx.person || ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('muting__mute')
    .select('muted_id')
    .where('person_id', '=', ctx.person.id)
    .where('muted_id', 'in', [...new Set(ids)])
    .execute()
  return rows.map(({ muted_id }) => muted_id)
}

/** Folds comments of people whom the reader has muted: their text is there, behind a line that opens it. */
export async function foldComments(ctx: ReadContext<Tables>, items: Decorated<CommentView>[]): Promise<void> {
  const muted = new Set(await readAmong(ctx, { ids: items.map(({ view }) => Number(view.user_id)).filter((id) => id > 0) }))
  if (muted.size === 0) return
  const line = escapeHtml(ctx.text('muting.folded'))
  for (const { view } of items)
    if (muted.has(Number(view.user_id))) view.parsed_text = `<details><summary>${line}</summary>${view.parsed_text}</details>`
}
