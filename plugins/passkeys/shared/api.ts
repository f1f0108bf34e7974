import { call, defineErrors } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Id of the confirmer. */
export const PASSKEY = 'passkeys'

export const passkeyCalls = {
  list: call.get<typeof schemas.list>('passkeys'),
  begin: call.post<typeof schemas.begin>('passkeys/registration'),
  add: call.post<typeof schemas.add>('passkeys'),
  rename: call.put<typeof schemas.rename>('passkeys'),
  remove: call.del<typeof schemas.remove>('passkeys'),
}

export const passkeyErrors = defineErrors('error.passkeys', {
  no_address: { status: 400, message: 'Passkeys need https or localhost and a name; the address of the site is {url}' },
  not_registered: { status: 400, message: 'This answers nothing that was asked' },
  taken: { status: 400, message: 'This passkey is registered already' },
  too_many: { status: 400, message: 'Person {id} has {max} passkeys' },
  not_found: { status: 404, message: 'Person {person} has no passkey {id}' },
  last_way: { status: 400, message: 'Without this passkey person {person} could not log in' },
})
