import { oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'

const encryption = oneOf(['', 'SSL', 'TLS'])
const short = Type.Optional(Type.String({ maxLength: 256 }))

export const smtp = {
  reply: Type.Object({
    from_email: Type.String(),
    from_name: Type.String(),
    smtp_host: Type.String(),
    smtp_port: Type.Integer(),
    encryption,
    smtp_username: Type.String(),
    /** Asterisks where one is stored. */
    smtp_password: Type.String(),
    smtp_authentication: Type.Boolean(),
  }),
}
/** What is left out stays as it is stored. */
const given = {
  from_email: short,
  from_name: short,
  smtp_host: short,
  smtp_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  encryption: Type.Optional(encryption),
  smtp_username: short,
  smtp_password: short,
  smtp_authentication: Type.Optional(Type.Boolean()),
}
export const testSmtp = { body: Type.Object(given), reply: Type.Null() }
export const saveSmtp = {
  body: Type.Object({
    ...given,
    /** With one, a test mail goes there first, and nothing is saved when it is not taken. */
    test_email_recipient: short,
  }),
  reply: Type.Null(),
}

export const server = {
  reply: Type.Object({
    /** The server is set where the site is started; here only the sender counts. */
    is_fixed: Type.Boolean(),
    /** Mails are written into files: there is no server. */
    is_missing: Type.Boolean(),
  }),
}

const undeliveredMail = Type.Object({
  id: Type.Integer(),
  to: Type.String(),
  subject: Type.String(),
  /** In the words of the server, or of the network. */
  reason: Type.String(),
  tries: Type.Integer(),
  /** `trying`: tried again by itself. `given_up`: no more. `refused`: the server will not take it. `unsure`: the site ended in the middle. */
  state: oneOf(['trying', 'given_up', 'refused', 'unsure']),
  can_send_again: Type.Boolean(),
  first_at: Type.Integer(),
  last_at: Type.Integer(),
})
export const undelivered = { query: Type.Object(paging(20)), reply: pageOf(undeliveredMail) }
/** Without `id`: all of them. */
const chosen = Type.Object({ id: Type.Optional(Type.Integer({ minimum: 1 })) })
export const sendAgain = { body: chosen, reply: Type.Object({ count: Type.Integer() }) }
export const forget = { body: chosen, reply: Type.Null() }
