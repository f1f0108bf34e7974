import { randomBytes } from 'node:crypto'
import type { Check, CommandContext } from '@stoa/sdk/commands'
import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { countedOfPeople } from '../shared/api.ts'
import { differingRanks } from './check-reputation.ts'
import type { AccountTables } from './tables.ts'

/** Somebody by the address they log in with, or by their username. */
async function find({ argument, credentials, db }: CommandContext) {
  if (argument.includes('@')) return await credentials.findByLogin(argument.toLowerCase())
  const row = await (db as Kysely<AccountTables>)
    .selectFrom('accounts__profile')
    .select('id')
    .where('username_lower', '=', argument.toLowerCase())
    .executeTakeFirst()
  return row && (await credentials.find(row.id))
}

async function resetPassword(context: CommandContext): Promise<void> {
  const { argument, password, credentials, write, say } = context
  if (password !== undefined && (password.length < 8 || password.length > 32)) throw new Error('--password must have 8 to 32 characters.')
  const person = await find(context)
  if (!person || person.state === 'deleted') throw new Error(`There is nobody with the email or username "${argument}".`)
  const chosen = password ?? randomBytes(12).toString('base64url')
  await write(async () => {
    await credentials.setPassword(person.id, chosen)
    await credentials.closeSessions(person.id)
  })
  say(`${person.login} has a new password, and is logged out everywhere.${password === undefined ? ` The password is ${chosen}` : ''}`)
  if (person.state === 'suspended') say('The account is suspended, and stays so.')
  if (person.state === 'inactive') say('The email was never confirmed: after logging in, the account asks for that.')
  if (person.needsMore) say('The second step of logging in is still asked for.')
}

const ranks: Check = async ({ db }) => {
  const people = await differingRanks(db)
  if (people.length === 0) return [{ level: 'well', text: 'The reputation of everybody is what their records add up to.' }]
  const text = `The reputation of ${people.length} people is not what their records add up to.`
  return [{ level: 'wrong', text, advice: 'The dashboard of the administration names them and sets it right.' }]
}

const ofPeople = { kind: 'person', table: 'accounts__profile', key: 'id' }

export default defineCommands({
  commands: { 'reset-password': { argument: 'email or username', help: 'gives somebody a new password (--password)', run: resetPassword } },
  checks: [ranks],
  kept: [
    { ...ofPeople, of: countedOfPeople.experiences, column: 'experience_count', name: 'posts in profiles' },
    { ...ofPeople, of: countedOfPeople.answers, column: 'answer_count', name: 'answers in profiles' },
  ],
})
