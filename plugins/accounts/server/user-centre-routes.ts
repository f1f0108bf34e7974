import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls, centrePaths } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { askedAgain, isLedFromElsewhere, refusalOf, refusalPages } from './outside-refusals.ts'
import { codesOfAddress } from './rules.ts'
import type { Broker } from './sign-in-broker.ts'
import type { Centre } from './user-centre.ts'

const FAILED = '/user-center/auth-failed'
const at = (redirect_url: string) => ({ enabled: redirect_url !== '', redirect_url })

/** What clients ask about the user centre, and the way there and back. */
export function userCentreRoutes({ ctx, people, identities }: AccountTools, broker: Broker, centre: Centre): Route[] {
  async function info() {
    const current = centre.current()
    if (!current) return { enabled: false, agent_info: null }
    const agent_info = {
      name: current.name,
      display_name: current.displayName(),
      icon: current.icon || (identities.method(current.method)?.icon ?? ''),
      url: current.url,
      login_redirect_url: ctx.site.url + centrePaths.login,
      sign_up_redirect_url: ctx.site.url + centrePaths.signUp,
      control_center: current.controls?.() ?? [],
      enabled_original_user_system: !(await centre.isOnlyWay()),
    }
    return { enabled: true, agent_info }
  }

  const leave = (path: string, summary: string) =>
    route.document(path, {
      access: 'open',
      summary,
      query: schemas.startOutside.query,
      limit: { action: 'outside', max: 60, seconds: 600, by: 'address', countsStaff: true },
      handle: async ({ query, ...request }, reply) => {
        const current = centre.current()
        if (request.person) return { redirect: refusalPages.bind }
        if (!current) return { redirect: FAILED }
        if (isLedFromElsewhere(request)) return { redirect: askedAgain(query.next) }
        const asked = { method: current.method, intent: 'login', ...(query.next && { returnTo: query.next }) } as const
        try {
          return { redirect: new URL(await broker.service.begin(asked, request, reply)) }
        } catch (error) {
          if (refusalOf(error) === undefined) throw error
          return { redirect: FAILED }
        }
      },
    })

  /** For directories in which this address was entered; others send people back to the one of the login. */
  const comeBack = (path: string, summary: string) =>
    route.document(path, {
      access: 'open',
      summary,
      query: schemas.returned.query,
      limit: codesOfAddress,
      handle: async ({ query, ...request }) => {
        const current = centre.current()
        return { redirect: current ? await broker.comeBack(current.method, query, request) : FAILED }
      },
    })

  return [
    route(accountCalls.userCentre, schemas.userCentre, {
      access: 'open',
      summary: 'The user centre that people log in with, if there is one',
      handle: info,
    }),
    route(accountCalls.userCentreSettings, schemas.userCentreSettings, {
      access: 'active',
      summary: 'Settings pages that a user centre takes over',
      handle: ({ person }) => {
        const { profile, account } = centre.current()?.settingsOf?.(person.id) ?? { profile: '', account: '' }
        return { profile_setting_agent: at(profile), account_setting_agent: at(account) }
      },
    }),
    route(accountCalls.userCentreBranding, schemas.userCentreBranding, {
      access: 'visitor',
      summary: 'What a user centre shows on a profile',
      handle: async ({ query }) => {
        const current = centre.current()
        const id = current?.brandingOf && (await people.idOf(query.username))
        const personal_branding = (id !== undefined && (await current?.brandingOf?.(id))) || []
        return { enabled: personal_branding.length > 0, personal_branding }
      },
    }),
    route(accountCalls.adminUserCentre, schemas.adminUserCentre, {
      access: 'admin',
      summary: 'What the admin may do to people while a user centre is on',
      handle: async () => {
        const own = !(await centre.isOnlyWay())
        return { allow_create_user: own, allow_update_user_status: true, allow_update_user_password: own, allow_update_user_role: true }
      },
    }),
    leave(centrePaths.login, 'Leads to the user centre to log in there'),
    leave(centrePaths.signUp, 'Leads to the user centre, where whoever is new is known as well'),
    comeBack(centrePaths.loginBack, 'Where the user centre sends people back to'),
    comeBack(centrePaths.signUpBack, 'Where the user centre sends new people back to'),
  ]
}
