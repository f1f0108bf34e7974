import { fieldErrors } from '@stoa/sdk'
import type { DatabaseChoice, Route, ServerContext, Static } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'

const database = Type.Object({
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
  name: Type.String({ minLength: 2, maxLength: 30, pattern: '^[A-Za-z0-9._-]+$' }),
  password: Type.String({ minLength: 8, maxLength: 32 }),
  email: Type.String({ minLength: 1, maxLength: 500, format: 'email' }),
  login_required: Type.Optional(Type.Boolean()),
  external_content_display: Type.Union([Type.Literal('always_display'), Type.Literal('ask_before_display')]),
})

const choice = (body: Static<typeof database>): DatabaseChoice => ({
  type: body.db_type,
  ...(body.db_file && { file: body.db_file }),
  ...(body.db_host && { host: body.db_host }),
  ...(body.db_username && { user: body.db_username }),
  ...(body.db_password && { password: body.db_password }),
  ...(body.db_name && { name: body.db_name }),
})

/** Origin of the given address. @throws a form error for anything that is no http address. */
function siteAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw fieldErrors({ site_url: 'validation.format' })
}

/** The installer's calls; each answers 404 once the site is set up. */
export function installRoutes(ctx: ServerContext): Route[] {
  const setup = ctx.plugins.setup
  return [
    route({
      method: 'POST',
      path: '/installation/config-file/check',
      access: 'install',
      summary: 'How far the installation has come.',
      reply: Type.Object({ config_file_exist: Type.Boolean(), db_connection_success: Type.Boolean(), db_table_exist: Type.Boolean() }),
      handle() {
        const { configured, connected, installed } = setup.state()
        return { config_file_exist: configured, db_connection_success: configured && connected, db_table_exist: installed }
      },
    }),
    route({
      method: 'POST',
      path: '/installation/db/check',
      access: 'install',
      summary: 'Tries a database.',
      body: database,
      reply: Type.Object({ connection_success: Type.Boolean() }),
      async handle({ body }) {
        await setup.check(choice(body))
        return { connection_success: true }
      },
    }),
    route({
      method: 'POST',
      path: '/installation/init',
      access: 'install',
      summary: 'Chooses the database and creates its tables.',
      body: database,
      reply: Type.Null(),
      async handle({ body }) {
        await setup.init(choice(body))
      },
    }),
    route({
      method: 'POST',
      path: '/installation/base-info',
      access: 'install',
      summary: 'Names the site and makes its first admin.',
      body: baseInfo,
      reply: Type.Null(),
      async handle({ body }) {
        await setup.finish({
          language: body.lang,
          siteName: body.site_name.trim(),
          siteUrl: siteAddress(body.site_url),
          contactEmail: body.contact_email,
          adminName: body.name,
          adminEmail: body.email,
          adminPassword: body.password,
          loginRequired: body.login_required ?? false,
          extra: { external_content_display: body.external_content_display },
        })
      },
    }),
    route({
      method: 'GET',
      path: '/installation/language/options',
      access: 'install',
      summary: 'Languages to install in.',
      reply: Type.Array(Type.Object({ label: Type.String(), value: Type.String(), progress: Type.Integer() })),
      handle: () => ctx.texts.languages().map(({ code, label, progress }) => ({ value: code, label, progress })),
    }),
    route({
      method: 'GET',
      path: '/installation/language/config',
      access: 'install',
      summary: 'Texts of one language as a tree.',
      query: Type.Object({ lang: Type.String({ minLength: 1, maxLength: 20 }) }),
      reply: Type.Object({}, { additionalProperties: true }),
      handle({ query }) {
        if (!ctx.texts.languages().some((language) => language.code === query.lang)) throw fieldErrors({ lang: 'validation.enum' })
        return { ui: ctx.texts.tree(query.lang), plugin: {}, backend: {} }
      },
    }),
  ]
}
