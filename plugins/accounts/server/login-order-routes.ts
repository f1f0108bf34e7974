import type { Route, ServerContext } from '@stoa/sdk/server'
import { kernelHooks, route, settingChanges } from '@stoa/sdk/server'
import { outsideCalls, outsideErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Identities } from './identities.ts'
import type { Chosen, LoginOrder } from './login-order.ts'
import type { AccountTables } from './tables.ts'

/** Those that are named share the places that they had among the others, in their new order. */
function reordered(before: readonly string[], named: readonly string[]): string[] {
  const rest = [...named]
  const placed = before.map((id) => (named.includes(id) ? (rest.shift() as string) : id))
  return [...placed, ...rest]
}

/** The order, for its page of settings. */
export function loginOrderRoutes(ctx: ServerContext<AccountTables>, identities: Identities, order: LoginOrder): Route[] {
  return [
    route(outsideCalls.order, schemas.loginOrder, {
      access: 'admin',
      summary: 'Settings: outside logins on offer, in the order in which they stand, and the one that stands first',
      handle() {
        const logins = identities.methods().map(({ id, name, icon = '' }) => ({ slug: id, name, icon }))
        const { login_first } = order.chosen()
        return { logins, first: logins.some(({ slug }) => slug === login_first) ? login_first : '' }
      },
    }),
    route(outsideCalls.saveOrder, schemas.saveLoginOrder, {
      access: 'admin',
      summary: 'Save the order of outside logins; those that are not named keep their place',
      async handle({ body, person }) {
        const before = order.chosen()
        const known = new Set([...identities.methods().map(({ id }) => id), ...before.login_order])
        const unknown = [...body.order, body.first].find((id) => id !== '' && !known.has(id))
        if (unknown !== undefined) throw outsideErrors.method_unavailable({ method: unknown })
        const after: Chosen = { login_order: reordered(before.login_order, body.order), login_first: body.first }
        await ctx.db.write(async () => {
          await ctx.plugin.settings.set({ ...after })
          const names = new Map(identities.methods().map(({ id, name }) => [id, name]))
          const say = (_: string, value: unknown) =>
            [value]
              .flat()
              .map((id) => names.get(id as string) ?? String(id))
              .join(', ')
          const changes = settingChanges(before, after, [], say).map((change) => ({ ...change, field: `accounts.field.${change.field}` }))
          const label = ctx.host.texts.text('accounts.page.login_order', {}, ctx.site.language)
          await ctx.run(kernelHooks.settingsSaved, { page: '/admin/login-buttons', label, personId: person.id, changes })
        })
      },
    }),
  ]
}
