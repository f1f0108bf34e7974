import type { MailMessage, MailRefusal, ServerContext } from '@stoa/sdk/server'
import { plainLine } from './plain-line.ts'
import type { RefusedTable, Tables } from './tables.ts'

/** Mails that the receiver's server must have refused for good before no more are sent: one may be its mistake. */
const ENOUGH = 2
/** After this long without a mail it is tried again by itself. */
const KEEP_SECONDS = 30 * 86_400

/**
 * Whether a refusal says something about the mailbox. Not when the server wants a login first, will not pass mails on or has rules about the sender
 * (RFC 3463, 5.7): it would say so of every address.
 */
const isOfMailbox = ({ at, isFinal, reason }: MailRefusal): boolean =>
  isFinal && at === 'receiver' && !/^5\d\d[ -]5\.7\.|^53\d\b|\brelay/i.test(reason)

/** Addresses whose server does not take mails for them. What somebody asks for themselves is tried all the same, and shows when that changes. */
export interface Refused {
  /** After each try of any mail. */
  tried(message: MailMessage, refusal: MailRefusal | undefined): Promise<void>
  /** What stands against sending to somebody's present address; undefined: nothing. */
  of(personId: number): Promise<RefusedTable | undefined>
  /** What is known of somebody, of an older address too. */
  known(personId: number): Promise<RefusedTable | undefined>
  /** They are to be tried again: of a person, of an address, or all. */
  forget(which: { personId?: number; address?: string }): Promise<void>
  clean(): Promise<void>
}

export function createRefused(ctx: ServerContext<Tables>): Refused {
  async function note(message: MailMessage, { reason }: MailRefusal): Promise<void> {
    const person = await ctx.host.credentials.findByLogin(message.to)
    if (!person) return
    const values = { address: person.login, reason: plainLine(reason, 300), last_at: ctx.now() }
    await ctx.db.write((tx) =>
      tx
        .insertInto('mail__refused')
        .values({ ...values, person_id: person.id, refusals: 1 })
        .onConflict((conflict) =>
          conflict.column('person_id').doUpdateSet((eb) => ({
            ...values,
            refusals: eb
              .case()
              .when('mail__refused.address', '=', values.address)
              .then(eb('mail__refused.refusals', '+', 1))
              .else(1)
              .end(),
          })),
        )
        .execute(),
    )
  }

  async function forget({ personId, address }: { personId?: number; address?: string }): Promise<void> {
    await ctx.db.write(async (tx) => {
      let rows = tx.deleteFrom('mail__refused')
      if (personId !== undefined) rows = rows.where('person_id', '=', personId)
      if (address !== undefined) rows = rows.where('address', '=', address)
      await rows.execute()
    })
  }

  const known = (personId: number) =>
    ctx.db.query.selectFrom('mail__refused').selectAll().where('person_id', '=', personId).executeTakeFirst()

  return {
    known,
    async tried(message, refusal) {
      if (refusal) return isOfMailbox(refusal) ? await note(message, refusal) : undefined
      const address = message.to.toLowerCase()
      const row = await ctx.db.query.selectFrom('mail__refused').select('person_id').where('address', '=', address).executeTakeFirst()
      if (row) await forget({ address })
    },
    async of(personId) {
      const row = await known(personId)
      if (!row || row.refusals < ENOUGH) return undefined
      return (await ctx.host.credentials.find(personId))?.login === row.address ? row : undefined
    },
    forget,
    async clean() {
      await ctx.db.write((tx) =>
        tx
          .deleteFrom('mail__refused')
          .where('last_at', '<', ctx.now() - KEEP_SECONDS)
          .execute(),
      )
    },
  }
}
