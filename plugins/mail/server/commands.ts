import type { Check } from '@stoa/sdk/commands'
import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Mails that no server has taken. */
const undelivered: Check = async ({ db }) => {
  const mails = (db as Kysely<Tables>).selectFrom('mail__undelivered')
  const { count } = await mails.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const last = await mails.select('reason').orderBy('last_at', 'desc').limit(1).executeTakeFirst()
  if (!last) return [{ level: 'well', text: 'Every mail was taken by the server.' }]
  const text = `${Number(count)} mails did not arrive; the last was refused with "${last.reason}".`
  return [{ level: 'notice', text, advice: 'The mail settings of the administration list them and send them again.' }]
}

export default defineCommands({ checks: [undelivered] })
