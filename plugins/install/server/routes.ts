import { defineErrors, fieldErrors } from '@stoa/sdk'
import type { DatabaseChoice } from '@stoa/sdk/administration'
import type { Route, RouteRequest, ServerContext, Static } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { Passwords } from '../../accounts/shared/api.ts'
import { installCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { atItsField } from './database-refusal.ts'
import { proposeUsername } from './propose-username.ts'
import { COOKIE, isCode, maySetUp } from './setup-code.ts'

const errors = defineErrors('error.install', {
  code_required: { status: 403, message: 'From another machine the installation asks for the code that stands in the log' },
})

/** Attempts at the code, and at databases: of one address, and of all. */
const CODES = [{ action: 'code', max: 10, seconds: 600, by: 'address' as const }]
const DATABASES = [{ action: 'database', max: 20, seconds: 600, by: 'address' as const }]
const ALL_CODES = { key: 'all', max: 300, seconds: 3600 }

const choice = (body: Static<typeof schemas.database>): DatabaseChoice => ({
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

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The installer's calls; each answers 404 once the site is set up. */
export function installRoutes(
  ctx: ServerContext,
  passwords: { readonly current?: Passwords | undefined },
  urlTitle: (name: string) => string | undefined,
): Route[] {
  const setup = ctx.host.plugins.setup
  const before = (request: Pick<RouteRequest, 'ip' | 'headers'>): void => {
    if (!maySetUp(request, setup.code)) throw errors.code_required()
  }
  /** The owner learns which field to mend: whoever comes this far is on the machine or has its code. The driver's own words stand in the log. */
  const explained = async <R>(work: Promise<R>): Promise<R> =>
    work.catch((error: unknown) => {
      throw atItsField(error, (message) => ctx.log.warn(message))
    })
  const isLanguage = (code: string): boolean => ctx.host.texts.languages().some((language) => language.code === code)
  return [
    route(installCalls.askCode, schemas.askCode, {
      access: 'install',
      summary: 'Whether a code is asked for first.',
      handle: (request) => ({ required: !maySetUp(request, setup.code) }),
    }),
    route(installCalls.sendCode, schemas.sendCode, {
      access: 'install',
      summary: 'Takes the code that stands in the log.',
      limit: CODES,
      async handle({ body }, reply) {
        await ctx.host.limit('code.all', ALL_CODES)
        if (!isCode(body.code, setup.code)) throw fieldErrors({ code: 'error.install.code_wrong' })
        reply.cookie(COOKIE, setup.code, { path: '/installation' })
      },
    }),
    route(installCalls.state, schemas.state, {
      access: 'install',
      summary: 'How far the installation has come.',
      handle() {
        const { configured, connected, installed } = setup.state()
        return { config_file_exist: configured, db_connection_success: configured && connected, db_table_exist: installed }
      },
    }),
    route(installCalls.checkDatabase, schemas.checkDatabase, {
      access: 'install',
      summary: 'Tries a database.',
      limit: DATABASES,
      before,
      async handle({ body }) {
        await explained(setup.check(choice(body)))
        return { connection_success: true }
      },
    }),
    route(installCalls.init, schemas.init, {
      access: 'install',
      summary: 'Chooses the database and creates its tables.',
      limit: DATABASES,
      before,
      async handle({ body }) {
        await explained(setup.init(choice(body)))
      },
    }),
    route(installCalls.username, schemas.username, {
      access: 'install',
      summary: 'A username for a name of any script.',
      handle: ({ query }) => ({ username: proposeUsername(query.name, urlTitle(query.name)) }),
    }),
    route(installCalls.finish, schemas.finish, {
      access: 'install',
      summary: 'Names the site and makes its first admin.',
      before,
      async handle({ body }) {
        const { time_zone = 'UTC' } = body
        if (!isLanguage(body.lang)) throw fieldErrors({ lang: 'validation.enum' })
        if (!isTimeZone(time_zone)) throw fieldErrors({ time_zone: 'validation.enum' })
        if (!/^[A-Za-z0-9._-]+$/.test(body.name)) throw fieldErrors({ name: 'error.install.name' })
        await passwords.current?.refuseCommon(body.password, [body.email, body.name, body.display_name ?? ''], 'password')
        await setup.finish({
          language: body.lang,
          siteName: body.site_name.trim(),
          siteUrl: siteAddress(body.site_url),
          contactEmail: body.contact_email,
          adminName: body.name,
          adminEmail: body.email,
          adminPassword: body.password,
          loginRequired: body.login_required ?? false,
          extra: {
            ...body.plugins,
            display_name: body.display_name?.trim() || body.name,
            external_content_display: body.external_content_display,
            time_zone,
          },
        })
      },
    }),
    route(installCalls.languages, schemas.languages, {
      access: 'install',
      summary: 'Languages to install in.',
      handle: () => ctx.host.texts.languages().map(({ code, label, progress }) => ({ value: code, label, progress })),
    }),
    route(installCalls.texts, schemas.texts, {
      access: 'install',
      summary: 'Texts of one language as a tree.',
      handle({ query }) {
        if (!isLanguage(query.lang)) throw fieldErrors({ lang: 'validation.enum' })
        return { ui: ctx.host.texts.tree(query.lang), plugin: {}, backend: {} }
      },
    }),
  ]
}
