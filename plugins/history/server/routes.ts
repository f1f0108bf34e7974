import type { Extensions } from '@stoa/sdk'
import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { historyCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Auditing } from './audit.ts'
import { audit } from './audit.ts'
import { revisionsOf, unreviewedOf } from './read-revisions.ts'
import { detailOf, timelineOf } from './read-timeline.ts'

/** All calls of this plugin. */
export function historyRoutes(auditing: Auditing): Route[] {
  const { ctx, owners } = auditing
  /** The values of other plugins in words. */
  const spoken = <T extends { extensions: Extensions }>(kind: string, { extensions, ...rest }: T) => {
    const owner = owners.current.find(({ service }) => service.kind === kind)?.service
    return { ...rest, fields: owner?.describe?.(extensions) ?? [] }
  }
  return [
    route(historyCalls.revisions, schemas.revisions, {
      access: 'visitor',
      summary: 'Texts that an object has had, newest first.',
      handle: async ({ query }) => {
        const { kind, list } = await ctx.read(revisionsOf, query)
        return list.map((revision) => spoken(kind, revision))
      },
    }),
    route(historyCalls.unreviewed, schemas.unreviewed, {
      access: 'active',
      summary: 'Suggested edits that wait for the caller, one a page.',
      handle: async ({ query }) => {
        const { count, list } = await ctx.read(unreviewedOf, query)
        return {
          count,
          list: list.map(({ type, info, unreviewed_info }) => ({
            type,
            info: spoken(type, info),
            unreviewed_info: spoken(type, unreviewed_info),
          })),
        }
      },
    }),
    route(historyCalls.audit, schemas.audit, {
      access: 'active',
      summary: 'Takes or rejects a suggested edit.',
      handle: async ({ body, person }) => {
        await audit(auditing, person, body.id, body.operation)
        return {}
      },
    }),
    route.read(historyCalls.timeline, schemas.timeline, {
      access: 'active',
      summary: 'What happened to an object.',
      read: timelineOf,
    }),
    route(historyCalls.detail, schemas.detail, {
      access: 'active',
      summary: 'Two texts of an object, to be compared.',
      handle: async ({ query }) => {
        const { kind, new_revision, old_revision } = await ctx.read(detailOf, query)
        return { new_revision: spoken(kind, new_revision), old_revision: old_revision && spoken(kind, old_revision) }
      },
    }),
  ]
}
