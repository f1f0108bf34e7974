import { accountErrors } from '../shared/api.ts'
import { atField } from './account-tools.ts'

const SHORTEST = 8

let known: Promise<ReadonlySet<string>> | undefined

/** Passwords that many people have, in lower case: about fifty thousand, loaded when the first one is chosen. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= SHORTEST))
}

/**
 * Refuses a password that others try first: one of the common ones, or what is known of the person.
 * @param own address and name of who chooses it
 * @throws `error.accounts.password_common` at the field
 */
export async function refuseCommon(password: string, own: readonly string[] = [], field = 'pass'): Promise<void> {
  known ??= load()
  const lower = password.normalize('NFC').toLowerCase()
  const isOwn = own.some((text) => text !== '' && [text, text.split('@')[0]].includes(lower))
  if (isOwn || (await known).has(lower)) throw atField(accountErrors.password_common, field)
}
