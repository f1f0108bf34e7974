import { call, defineErrors } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export const twoFactorCalls = {
  state: call.get<typeof schemas.state>('two-factor'),
  begin: call.post<typeof schemas.begin>('two-factor/secret'),
  enable: call.post<typeof schemas.enable>('two-factor'),
  renew: call.post<typeof schemas.renew>('two-factor/recovery'),
  disable: call.del<typeof schemas.disable>('two-factor'),
  stateOf: call.get<typeof schemas.stateOf>('two-factor', { admin: true }),
  reset: call.del<typeof schemas.reset>('two-factor', { admin: true }),
}

export const twoFactorErrors = defineErrors('error.two_factor', {
  already_on: { status: 400, message: 'Person {id} has set it up already' },
  not_begun: { status: 400, message: 'Person {id} has no secret to confirm' },
  is_off: { status: 400, message: 'Person {id} has not set it up' },
  wrong_code: { status: 400, message: 'This is not the code of the secret now', field: 'code' },
  unknown_person: { status: 400, message: 'No person {id}' },
})
