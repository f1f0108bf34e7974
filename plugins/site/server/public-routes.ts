import type { Route, ServerContext, Static, Wanted } from '@stoa/sdk/server'
import { fieldErrors, route } from '@stoa/sdk/server'
import type { bins, Verdict } from '../shared/api.ts'
import { permissionVerdicts, siteCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { emptyBin, removeFromBin } from './empty-bin.ts'
import { reasonsFor } from './reasons.ts'
import type { RenderThread } from './rendering.ts'
import { reviewing } from './reviewing.ts'
import { legalText, siteInfo } from './site-info.ts'

const MAX_ACTIONS = 100

/** Calls of the protocol that belong to no feature. */
export function publicRoutes(ctx: ServerContext, rendering: RenderThread, emptied: Wanted<typeof bins>): Route[] {
  const languages = () =>
    ctx.host.texts
      .languages()
      .map(({ code, label, progress }) => ({ label: progress < 100 ? `${label} (${progress}%)` : label, value: code, progress }))

  const reasons = ({ query }: { query: Static<typeof schemas.reasons.query> }) => {
    const list = reasonsFor(query.object_type, query.action, (key) => ctx.host.texts.text(key))
    if (!list) throw fieldErrors({ object_type: 'validation.enum', action: 'validation.enum' })
    return list
  }
  const reasonsAre = 'Reasons to choose from, by kind of object and what is done to it'

  return [
    route.read(siteCalls.info, schemas.siteInfo, {
      access: 'open',
      summary: 'Settings that every client needs at start-up',
      read: siteInfo,
      params: () => ({}),
    }),
    route.read(siteCalls.legalText, schemas.legalText, {
      access: 'open',
      summary: 'Terms of service or privacy policy',
      read: legalText,
    }),
    route(siteCalls.permission, schemas.permission, {
      access: 'active',
      summary: 'Which of the named actions the caller may do, with the reason where not',
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
          actions.map((action) => [action, permissionView(verdicts[action] as Verdict, (key, params) => ctx.host.texts.text(key, params))]),
        )
      },
    }),
    route(siteCalls.texts, schemas.texts, {
      access: 'open',
      summary: 'All texts of the interface in the language of the request',
      handle: ({ language }) => ({ ui: ctx.host.texts.tree(language), plugin: {}, backend: {} }),
    }),
    route(siteCalls.languages, schemas.languages, {
      access: 'open',
      summary: "Languages a person may choose, the site's first",
      handle: () => [{ label: ctx.host.texts.text('site.language_default'), value: 'Default', progress: 0 }, ...languages()],
    }),
    route(siteCalls.siteLanguages, schemas.languages, {
      access: 'admin',
      summary: 'Languages the site may have',
      handle: languages,
    }),
    route(siteCalls.roles, schemas.roles, {
      access: 'admin',
      summary: 'The three roles',
      handle: () =>
        [1, 2, 3].map((id) => ({
          id,
          name: ctx.host.texts.text(`role.${id}.name`),
          description: ctx.host.texts.text(`role.${id}.description`),
        })),
    }),
    route(siteCalls.render, schemas.render, {
      access: 'active',
      summary: 'Preview of Markdown, exactly as it will be stored',
      // The editor asks after a pause of 400 ms: whoever types, every second or two.
      limit: { action: 'site.render', max: 600, seconds: 600 },
      handle: ({ body, signal }) => rendering.preview(body.content, { profile: 'post', mentions: true }, signal),
    }),
    route(siteCalls.reasons, schemas.reasons, { access: 'active', summary: reasonsAre, handle: reasons }),
    route(siteCalls.adminReasons, schemas.reasons, { access: 'admin', summary: reasonsAre, handle: reasons }),
    route.read(siteCalls.reviewing, schemas.reviewing, {
      access: 'active',
      summary: 'What waits for a decision of the caller, by queue',
      read: reviewing,
      params: () => ({}),
    }),
    route(siteCalls.emptyBin, schemas.emptyBin, {
      access: 'admin',
      summary: 'Removes what was deleted of one kind for good',
      limit: { action: 'site.emptyBin', max: 100, seconds: 600 },
      handle: async ({ body }) => {
        const bin = emptied.current.find(({ service }) => service.type === body.type)
        if (!bin) throw fieldErrors({ type: 'validation.enum' })
        if (body.ids) await removeFromBin(ctx, bin.service, body.ids)
        else await emptyBin(ctx, bin.service)
      },
    }),
  ]
}

function permissionView({ allowed, needed, rank = 0 }: Verdict, text: (key: string, params?: Record<string, unknown>) => string) {
  if (allowed) return { has_permission: true, no_permission_tip: '' }
  const key = 'error.rank.fail_to_meet_the_condition'
  return { has_permission: false, no_permission_tip: needed < 0 ? text(key, { context: 'role' }) : text(key, { needed, rank }) }
}
