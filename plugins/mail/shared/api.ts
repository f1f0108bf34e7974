import { call } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export const mailCalls = {
  smtp: call.get<typeof schemas.smtp>('setting/smtp', { admin: true }),
  saveSmtp: call.put<typeof schemas.saveSmtp>('setting/smtp', { admin: true }),
  server: call.get<typeof schemas.server>('mail/server', { admin: true }),
  undelivered: call.get<typeof schemas.undelivered>('mail/undelivered', { admin: true }),
  sendAgain: call.post<typeof schemas.sendAgain>('mail/undelivered/again', { admin: true }),
  forget: call.del<typeof schemas.forget>('mail/undelivered', { admin: true }),
}
