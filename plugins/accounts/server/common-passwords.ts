import type { Passwords } from '../shared/api.ts'
import { accountErrors } from '../shared/api.ts'
import { atField } from './account-tools.ts'

const SHORTEST = 8

let known: Promise<ReadonlySet<string>> | undefined

/** Passwords that many people have, in lower case: about fifty thousand, loaded when the first one is chosen. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= SHORTEST))
}

export const refuseCommon: Passwords['refuseCommon'] = async (password, own = [], field = 'pass') => {
  known ??= load()
  const lower = password.normalize('NFC').toLowerCase()
  const isOwn = own.map((text) => text.toLowerCase()).some((text) => text !== '' && [text, text.split('@')[0]].includes(lower))
  if (isOwn || (await known).has(lower)) throw atField(accountErrors.password_common, field)
}
