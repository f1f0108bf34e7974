import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** What a link ends: a kind by its name, or all that come `daily` or `weekly`; on one channel. */
export interface Unsubscribing {
  personId: number
  channel: string
  what: string
}

/** A link holds for as long as the person's secret does: mails are read late, and whoever has an old one must be able to end them too. */
export async function unsubscribeLink(ctx: ServerContext<Tables>, tx: Kysely<Tables>, wish: Unsubscribing): Promise<string> {
  const { personId } = wish
  const secret =
    (await secretOf(tx, personId)) ??
    (
      await tx
        .insertInto('notifications__secret')
        .values({ person_id: personId, secret: ctx.host.random(32) })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ person_id: personId }))
        .returning('secret')
        .executeTakeFirstOrThrow()
    ).secret
  const words = [personId, wish.channel, wish.what].map((part) => encodeURIComponent(part)).join('~')
  return `${ctx.site.url}/users/unsubscribe?code=${encodeURIComponent(`${words}~${sign(secret, words)}`)}`
}

/** What a code ends; undefined for one that nobody was given. */
export async function wishIn(db: Kysely<Tables>, code: string): Promise<Unsubscribing | undefined> {
  const parts = code.split('~')
  const [person = '', channel = '', what = '', signature = ''] = parts
  if (parts.length !== 4 || !/^[1-9]\d{0,14}$/.test(person)) return undefined
  const personId = Number(person)
  const secret = await secretOf(db, personId)
  if (secret === undefined || !isSame(signature, sign(secret, `${person}~${channel}~${what}`))) return undefined
  // Signed: it was encoded here.
  return { personId, channel: decodeURIComponent(channel), what: decodeURIComponent(what) }
}

async function secretOf(db: Kysely<Tables>, personId: number): Promise<string | undefined> {
  return (await db.selectFrom('notifications__secret').select('secret').where('person_id', '=', personId).executeTakeFirst())?.secret
}

const sign = (secret: string, words: string): string => createHmac('sha256', secret).update(words).digest('base64url')

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
