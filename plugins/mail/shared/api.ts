import { call, defineErrors } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export const mailCalls = {
  smtp: call.get<typeof schemas.smtp>('setting/smtp', { admin: true }),
  saveSmtp: call.put<typeof schemas.saveSmtp>('setting/smtp', { admin: true }),
  /** Connects, logs in and leaves by these settings; nothing is stored. */
  testSmtp: call.post<typeof schemas.testSmtp>('setting/smtp/test', { admin: true }),
  server: call.get<typeof schemas.server>('mail/server', { admin: true }),
  undelivered: call.get<typeof schemas.undelivered>('mail/undelivered', { admin: true }),
  sendAgain: call.post<typeof schemas.sendAgain>('mail/undelivered/again', { admin: true }),
  forget: call.del<typeof schemas.forget>('mail/undelivered', { admin: true }),
}

export const mailErrors = defineErrors('error.mail', {
  /** Of a test. Data names the field to be looked at; the admin may save all the same. */
  does_not_work: { status: 400, message: 'The mail server was not reached, or did not let the site in: {reason}' },
})
