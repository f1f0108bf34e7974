import type { Principal } from '@stoa/sdk/server'
import type { Passwords } from '../shared/api.ts'
import { accountErrors } from '../shared/api.ts'
import { atField } from './account-tools.ts'
import type { Profiles } from './profiles.ts'

const SHORTEST = 8

let known: Promise<ReadonlySet<string>> | undefined

/** Passwords that many people have, in lower case: about fifty thousand, loaded when the first one is chosen. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= SHORTEST))
}

/** Whether others try a password first: one that many people have, or what is known of the person. @param own address and names of whose it is */
export async function isCommon(password: string, own: readonly string[] = []): Promise<boolean> {
  known ??= load()
  const lower = password.normalize('NFC').toLowerCase()
  const isOwn = own.map((text) => text.toLowerCase()).some((text) => text !== '' && [text, text.split('@')[0]].includes(lower))
  return isOwn || (await known).has(lower)
}

export const refuseCommon: Passwords['refuseCommon'] = async (password, own, field = 'pass') => {
  if (await isCommon(password, own)) throw atField(accountErrors.password_common, field)
}

/** Address and names of somebody who has an account already. */
export async function ownNames(profiles: Pick<Profiles, 'find'>, { id, login }: Principal): Promise<string[]> {
  const profile = await profiles.find(id)
  return profile ? [login, profile.display_name, profile.username] : [login]
}
