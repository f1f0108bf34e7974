import type { Route, ServerContext } from '@stoa/sdk/server'
import { fieldErrors, route, Type } from '@stoa/sdk/server'
import type { Markdown, Verdict } from '../shared/api.ts'
import { permissionVerdicts } from '../shared/api.ts'
import { reasonsFor } from './reasons.ts'
import { replies } from './schemas.ts'
import { legalText, siteInfo } from './site-info.ts'

const option = Type.Object({ label: Type.String(), value: Type.String(), progress: Type.Integer() })
const MAX_ACTIONS = 100

/** Calls of the protocol that belong to no feature. */
export function publicRoutes(ctx: ServerContext, markdown: Markdown): Route[] {
  const languages = () =>
    ctx.texts
      .languages()
      .map(({ code, label, progress }) => ({ label: progress < 100 ? `${label} (${progress}%)` : label, value: code, progress }))

  const reasons = (prefix: string, access: 'active' | 'admin') =>
    route({
      method: 'GET',
      path: `${prefix}/reasons`,
      access,
      summary: 'Reasons to choose from, by kind of object and what is done to it',
      query: Type.Object({ object_type: Type.String({ minLength: 1 }), action: Type.String({ minLength: 1 }) }),
      reply: Type.Array(
        Type.Object({
          reason_key: Type.String(),
          reason_type: Type.Integer(),
          name: Type.String(),
          description: Type.String(),
          content_type: Type.String(),
          placeholder: Type.String(),
          have_content: Type.Boolean(),
        }),
      ),
      handle: ({ query }) => {
        const list = reasonsFor(query.object_type, query.action, (key) => ctx.texts.text(key))
        if (!list) throw fieldErrors({ object_type: 'validation.enum', action: 'validation.enum' })
        return list
      },
    })

  return [
    route({
      method: 'GET',
      path: '/answer/api/v1/siteinfo',
      access: 'open',
      summary: 'Settings that every client needs at start-up',
      reply: Type.Object({
        general: replies.general,
        interface: replies.interface,
        branding: replies.branding,
        login: replies.login,
        theme: replies.theme,
        custom_css_html: replies['custom-css-html'],
        site_seo: replies.seo,
        site_users: replies.users,
        site_write: replies.write,
        site_legal: Type.Object({ external_content_display: Type.String() }),
        version: Type.String(),
        revision: Type.String(),
      }),
      read: siteInfo,
      readParams: () => ({}),
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/siteinfo/legal',
      access: 'open',
      summary: 'Terms of service or privacy policy',
      query: Type.Object({ info_type: Type.Enum(['tos', 'privacy']) }),
      reply: Type.Record(Type.String(), Type.String()),
      read: legalText,
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/permission',
      access: 'active',
      summary: 'Which of the named actions the caller may do, with the reason where not',
      query: Type.Object({ action: Type.String({ minLength: 1, maxLength: 5000 }) }),
      reply: Type.Record(Type.String(), Type.Object({ has_permission: Type.Boolean(), no_permission_tip: Type.String() })),
      handle: async ({ query }) => {
        const actions = [
          ...new Set(
            query.action
              .split(',')
              .map((action) => action.trim())
              .filter(Boolean),
          ),
        ].slice(0, MAX_ACTIONS)
        if (actions.length === 0) throw fieldErrors({ action: 'validation.required' })
        const verdicts = await ctx.read(permissionVerdicts, { actions })
        return Object.fromEntries(
          actions.map((action) => [action, permissionView(verdicts[action] as Verdict, (key, params) => ctx.texts.text(key, params))]),
        )
      },
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/language/config',
      access: 'open',
      summary: 'All texts of the interface in the language of the request',
      reply: Type.Object({ ui: Type.Any(), plugin: Type.Any(), backend: Type.Any() }),
      handle: ({ language }) => ({ ui: ctx.texts.tree(language), plugin: {}, backend: {} }),
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/language/options',
      access: 'open',
      summary: "Languages a person may choose, the site's first",
      reply: Type.Array(option),
      handle: () => [{ label: ctx.texts.text('site.language_default'), value: 'Default', progress: 0 }, ...languages()],
    }),
    route({
      method: 'GET',
      path: '/answer/admin/api/language/options',
      access: 'admin',
      summary: 'Languages the site may have',
      reply: Type.Array(option),
      handle: languages,
    }),
    route({
      method: 'GET',
      path: '/answer/admin/api/roles',
      access: 'admin',
      summary: 'The three roles',
      reply: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), description: Type.String() })),
      handle: () =>
        [1, 2, 3].map((id) => ({ id, name: ctx.texts.text(`role.${id}.name`), description: ctx.texts.text(`role.${id}.description`) })),
    }),
    route({
      method: 'POST',
      path: '/answer/api/v1/post/render',
      access: 'active',
      summary: 'Preview of Markdown, exactly as it will be stored',
      body: Type.Object({ content: Type.String({ maxLength: 131_072, default: '' }) }),
      reply: Type.String(),
      handle: ({ body }) => markdown.render(body.content),
    }),
    reasons('/answer/api/v1', 'active'),
    reasons('/answer/admin/api', 'admin'),
  ]
}

function permissionView({ allowed, needed }: Verdict, text: (key: string, params?: Record<string, unknown>) => string) {
  if (allowed) return { has_permission: true, no_permission_tip: '' }
  const key = 'error.rank.fail_to_meet_the_condition'
  return { has_permission: false, no_permission_tip: needed < 0 ? text(key, { context: 'role' }) : text(key, { needed }) }
}
