import { Type } from '@stoa/sdk/schema'

export const database = Type.Object({
  db_type: Type.Union([Type.Literal('sqlite3'), Type.Literal('postgres')]),
  db_username: Type.Optional(Type.String({ maxLength: 200 })),
  db_password: Type.Optional(Type.String({ maxLength: 200 })),
  db_host: Type.Optional(Type.String({ maxLength: 200 })),
  db_name: Type.Optional(Type.String({ maxLength: 200 })),
  db_file: Type.Optional(Type.String({ maxLength: 500 })),
})

/** Rules of the specification, sections 5 and 9. */
const baseInfo = Type.Object({
  lang: Type.String({ minLength: 1, maxLength: 20 }),
  site_name: Type.String({ minLength: 1, maxLength: 30 }),
  site_url: Type.String({ minLength: 1, maxLength: 512 }),
  contact_email: Type.String({ minLength: 1, maxLength: 500, format: 'email' }),
  name: Type.String({ minLength: 2, maxLength: 30 }),
  /** What people read; the username where it is left out. */
  display_name: Type.Optional(Type.String({ maxLength: 30 })),
  password: Type.String({ minLength: 8, maxLength: 32 }),
  email: Type.String({ minLength: 1, maxLength: 500, format: 'email' }),
  login_required: Type.Optional(Type.Boolean()),
  /** Of plugins that join with fields of their own, by slug. */
  plugins: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 2000 }))),
  /** UTC, the default: times are each reader's own. */
  time_zone: Type.Optional(Type.String({ maxLength: 60 })),
  external_content_display: Type.Union([Type.Literal('always_display'), Type.Literal('ask_before_display')]),
})

const flag = Type.Boolean()
const none = Type.Null()

export const askCode = { reply: Type.Object({ required: flag }) }
export const sendCode = { body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) }), reply: none }
export const state = { reply: Type.Object({ config_file_exist: flag, db_connection_success: flag, db_table_exist: flag }) }
export const checkDatabase = { body: database, reply: Type.Object({ connection_success: flag }) }
export const init = { body: database, reply: none }
export const username = {
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({ username: Type.String() }),
}
export const finish = { body: baseInfo, reply: none }
export const languages = { reply: Type.Array(Type.Object({ label: Type.String(), value: Type.String(), progress: Type.Integer() })) }
/** Of any language, so trees of any shape. */
const tree = Type.Record(Type.String(), Type.Unknown())
export const texts = {
  query: Type.Object({ lang: Type.String({ minLength: 1, maxLength: 20 }) }),
  reply: Type.Object({ ui: tree, plugin: tree, backend: tree }),
}
