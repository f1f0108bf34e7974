import { job } from '@stoa/sdk'
import type { MailMessage, ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { ChannelMessage, notices as noticesToken } from '../../notifications/shared/api.ts'
import { htmlOf, textOf } from './letter.ts'
import { noticeLetter } from './notice-letter.ts'
import type { Refused } from './refused.ts'
import type { Tables } from './tables.ts'
import type { Undelivered } from './undelivered.ts'

const deliver = job<{ id: number }>('mail.deliver')
/** Asked for by an admin, of a mail that nobody tries any more. */
const deliverAgain = job<{ id: number }>('mail.deliver_again')

/** Seconds between tries: a server that is away for a night gets everything in the morning. */
const PAUSES = [60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600]
/** No server takes longer over one mail. */
const LONGEST_SECONDS = 180
const KEEP_SECONDS = 30 * 86_400

export interface Outgoing {
  /** Stores a message with its job, in the caller's transaction; one of the same key is there already. */
  add(tx: Kysely<Tables>, message: ChannelMessage): Promise<void>
  /** Lets go of everything of somebody who is deleted. */
  drop(personId: number): Promise<void>
  clean(): Promise<void>
}

interface Parts {
  ctx: ServerContext<Tables>
  notices: Wanted<typeof noticesToken>
  undelivered: Undelivered
  refused: Refused
}

/**
 * Mails about what happened. A mail is marked before it is handed to the server: whoever finds the mark later, after a kill, does not know whether it
 * arrived, and sends nothing twice.
 */
export function createOutgoing({ ctx, notices, undelivered, refused }: Parts): Outgoing {
  const enqueue = (id: number, runAt = ctx.now()) => ctx.jobs.enqueue(deliver, { id }, { runAt, key: `mail ${id}` })
  const remove = (id: number) => ctx.db.write((tx) => tx.deleteFrom('mail__outgoing').where('id', '=', id).execute())
  const update = (id: number, values: { state: 'waiting' | 'stopped'; tries?: number }) =>
    ctx.db.write((tx) => tx.updateTable('mail__outgoing').set(values).where('id', '=', id).execute())

  /** The mail as it is sent now; undefined when there is nothing to say any more. */
  async function mailOf(id: number, personId: number, stored: ChannelMessage): Promise<MailMessage | undefined> {
    const person = await ctx.host.credentials.find(personId)
    if (person?.state !== 'normal') return undefined
    const ids = stored.items.map((item) => item.id).filter((item) => item > 0)
    const unread = new Set((await notices.current?.unread(ids)) ?? ids)
    const items = stored.items.filter((item) => item.id === 0 || unread.has(item.id))
    if (items.length === 0) return undefined
    const letter = noticeLetter(ctx, { ...stored, items })
    return {
      ...name(id),
      to: person.login,
      subject: letter.subject,
      language: stored.language,
      text: textOf(letter),
      html: htmlOf(letter),
      unsubscribe: stored.unsubscribeUrl,
    }
  }

  const name = (id: number) => ({ id: `notice-${id}`, again: { job: deliverAgain.id, payload: { id } } })

  async function found(id: number): Promise<void> {
    const row = await ctx.db.query.selectFrom('mail__outgoing').selectAll().where('id', '=', id).executeTakeFirst()
    if (row?.state !== 'sending') return
    const over = row.sending_since + LONGEST_SECONDS
    // Perhaps somebody is at it.
    if (over > ctx.now()) return await enqueue(id, over)
    const { items } = JSON.parse(row.message) as ChannelMessage
    const person = await ctx.host.credentials.find(row.person_id)
    await undelivered.interrupted({ ...name(id), to: person?.login ?? '', subject: items[0]?.about ?? '', text: '' })
    await update(id, { state: 'stopped' })
  }

  ctx.jobs.handle(deliver, async ({ id }) => {
    const row = await ctx.db.query.selectFrom('mail__outgoing').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return
    const mail = row.state === 'waiting' ? await mailOf(id, row.person_id, JSON.parse(row.message) as ChannelMessage) : undefined
    if (row.state === 'waiting' && !mail) {
      await undelivered.over(name(id).id)
      return void (await remove(id))
    }
    if (mail && (await refused.of(row.person_id))) {
      // The address was found to be dead since. What was never tried says nothing to the admin; the rest is listed, and sent again by hand.
      if (row.tries === 0) return void (await remove(id))
      await update(id, { state: 'stopped' })
      return await undelivered.busy(mail, 0)
    }
    const { numUpdatedRows } = await ctx.db.write((tx) =>
      tx
        .updateTable('mail__outgoing')
        .set((eb) => ({ state: 'sending' as const, tries: eb('tries', '+', 1), sending_since: ctx.now() }))
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst(),
    )
    if (numUpdatedRows === 0n || !mail) return await found(id)
    const pause = PAUSES[row.tries]
    try {
      const refusal = await ctx.host.mail.deliver(mail)
      if (refusal) await update(id, { state: 'stopped' })
      else await remove(id)
    } catch {
      // The list of mails that were not delivered has the reason.
      const next = pause === undefined ? 0 : ctx.now() + pause
      await update(id, { state: next === 0 ? 'stopped' : 'waiting' })
      await undelivered.busy(mail, next === 0 ? 0 : next + LONGEST_SECONDS)
      if (next > 0) await enqueue(id, next)
    }
  })

  ctx.jobs.handle(deliverAgain, ({ id }) =>
    ctx.db.write(async (tx) => {
      const row = await tx
        .updateTable('mail__outgoing')
        .set({ state: 'waiting', tries: 1 })
        .where('id', '=', id)
        .where('state', '=', 'stopped')
        .returning('person_id')
        .executeTakeFirst()
      if (!row) return
      // Whoever sends it again has done something about the address.
      await refused.forget({ personId: row.person_id })
      await enqueue(id)
    }),
  )

  return {
    async add(tx, message) {
      const row = await tx
        .insertInto('mail__outgoing')
        .values({
          message_key: message.key,
          person_id: message.personId,
          message: JSON.stringify(message),
          state: 'waiting',
          tries: 0,
          created_at: ctx.now(),
          sending_since: 0,
        })
        .onConflict((conflict) => conflict.column('message_key').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (row) await enqueue(row.id)
    },
    drop: (personId) =>
      ctx.db.write(async (tx) => {
        await tx.deleteFrom('mail__outgoing').where('person_id', '=', personId).execute()
        await tx.deleteFrom('mail__week').where('person_id', '=', personId).execute()
      }),
    async clean() {
      await ctx.db.write((tx) =>
        tx
          .deleteFrom('mail__outgoing')
          .where('created_at', '<', ctx.now() - KEEP_SECONDS)
          .execute(),
      )
    },
  }
}
