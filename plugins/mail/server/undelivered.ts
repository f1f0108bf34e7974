import { createHash } from 'node:crypto'
import type { MailMessage, MailRefusal, ServerContext } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import { plainLine } from './plain-line.ts'
import type { Tables, UndeliveredTable } from './tables.ts'

/** Mails in the list: the newest stay. */
const MOST = 500
const KEEP_SECONDS = 30 * 86_400
/** The longest pause between two tries of a job, and some minutes more. */
const PATIENCE_SECONDS = 15 * 60
/** A payload that is longer is not kept: such a mail cannot be sent again from here. */
const MOST_PAYLOAD = 64_000

export interface Undelivered {
  /** After each try: what was refused is listed, and goes from the list once it is taken. */
  tried(message: MailMessage, refusal: MailRefusal | undefined): Promise<void>
  /** The site ended while this mail was on its way: nobody knows whether it arrived, so nobody but a person sends it again. */
  interrupted(message: MailMessage): Promise<void>
  /** Until then it is tried again by itself; 0: no more. */
  busy(message: MailMessage, until: number): Promise<void>
  /** There is nothing to say any more in the mail of this `id`. */
  over(id: string): Promise<void>
  page(page: number, size: number): Promise<{ count: number; rows: UndeliveredRow[] }>
  /** Has mails sent anew that nobody is trying to. @param id of one; otherwise all. @returns how many */
  sendAgain(id: number | undefined): Promise<number>
  /** @returns the address, where it is one */
  forget(id: number | undefined): Promise<string | undefined>
  /** Those to one person, oldest first. */
  to(personId: number): Promise<UndeliveredRow[]>
  forgetPerson(personId: number): Promise<void>
  /** Keeps the list short. */
  clean(): Promise<void>
}

export type UndeliveredRow = Omit<UndeliveredTable, 'id'> & { id: number }

const keyOf = ({ id, again, to, subject }: Pick<MailMessage, 'id' | 'again' | 'to' | 'subject'>): string =>
  createHash('sha256')
    .update(id ?? (again ? JSON.stringify(again) : `${to}\n${subject}`))
    .digest('base64url')

/** The list of mails that no server has taken. */
export function createUndelivered(ctx: ServerContext<Tables>): Undelivered {
  async function list(message: MailMessage, found: { reason: string; state: UndeliveredTable['state']; isBusy: boolean }): Promise<void> {
    const now = ctx.now()
    const payload = JSON.stringify(message.again?.payload ?? null)
    const again = payload.length <= MOST_PAYLOAD ? message.again : undefined
    const values = {
      person_id: (await ctx.host.credentials.findByLogin(message.to))?.id ?? 0,
      to_address: plainLine(message.to, 256),
      subject: plainLine(message.subject, 200),
      reason: plainLine(found.reason, 500),
      state: found.state,
      again_job: again?.job ?? '',
      again_payload: again ? payload : '',
      last_at: now,
      busy_until: found.isBusy ? now + PATIENCE_SECONDS : 0,
    }
    await ctx.db.write((tx) =>
      tx
        .insertInto('mail__undelivered')
        .values({ ...values, mail_key: keyOf(message), tries: 1, first_at: now })
        .onConflict((conflict) =>
          conflict.column('mail_key').doUpdateSet((eb) => ({ ...values, tries: eb('mail__undelivered.tries', '+', 1) })),
        )
        .execute(),
    )
  }

  const take = async (key: string) =>
    void (await ctx.db.write((tx) => tx.deleteFrom('mail__undelivered').where('mail_key', '=', key).execute()))

  return {
    async tried(message, refusal) {
      if (message.forgets) return
      if (refusal)
        return await list(message, { reason: refusal.reason, state: refusal.isFinal ? 'refused' : 'failed', isBusy: !refusal.isFinal })
      await take(keyOf(message))
    },
    over: (id) => take(keyOf({ id, to: '', subject: '' })),
    interrupted: (message) => list(message, { reason: '', state: 'unsure', isBusy: false }),
    async busy(message, until) {
      await ctx.db.write((tx) =>
        tx.updateTable('mail__undelivered').set({ busy_until: until }).where('mail_key', '=', keyOf(message)).execute(),
      )
    },
    async page(page, size) {
      const { count } = await ctx.db.query
        .selectFrom('mail__undelivered')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const rows = await ctx.db.query
        .selectFrom('mail__undelivered')
        .selectAll()
        .orderBy('last_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      return { count: Number(count), rows }
    },
    sendAgain: (id) =>
      ctx.db.write(async (tx) => {
        let idle = tx
          .updateTable('mail__undelivered')
          .set({ busy_until: ctx.now() + PATIENCE_SECONDS })
          .where('again_job', '!=', '')
          .where('busy_until', '<=', ctx.now())
        if (id !== undefined) idle = idle.where('id', '=', id)
        const rows = await idle.returning(['id', 'again_job', 'again_payload']).execute()
        for (const row of rows)
          await ctx.jobs.enqueue(job<unknown>(row.again_job), JSON.parse(row.again_payload), { key: `again ${row.id}` })
        return rows.length
      }),
    async forget(id) {
      return await ctx.db.write(async (tx) => {
        const rows = tx.deleteFrom('mail__undelivered')
        if (id !== undefined) return (await rows.where('id', '=', id).returning('to_address').executeTakeFirst())?.to_address
        await rows.execute()
      })
    },
    to: (personId) => ctx.db.query.selectFrom('mail__undelivered').selectAll().where('person_id', '=', personId).orderBy('id').execute(),
    async forgetPerson(personId) {
      await ctx.db.write((tx) => tx.deleteFrom('mail__undelivered').where('person_id', '=', personId).execute())
    },
    async clean() {
      await ctx.db.write(async (tx) => {
        await tx
          .deleteFrom('mail__undelivered')
          .where('last_at', '<', ctx.now() - KEEP_SECONDS)
          .execute()
        const newest = tx.selectFrom('mail__undelivered').select('id').orderBy('last_at', 'desc').orderBy('id', 'desc').limit(MOST)
        await tx.deleteFrom('mail__undelivered').where('id', 'not in', newest).execute()
      })
    },
  }
}
