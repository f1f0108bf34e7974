import type { ServerContext } from '@stoa/sdk/server'
import type { Identity, SignInMethod } from '../../accounts/shared/api.ts'
import { outsideErrors } from '../../accounts/shared/api.ts'
import type { WeCom, WeComReply } from '../shared/api.ts'
import { errcodeOf, memberKey, weComMethod } from '../shared/api.ts'
import type { Settings } from './settings.ts'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#2f6fed" d="M10 4c-4.4 0-8 2.9-8 6.5 0 2 1.1 3.8 2.9 5L4 18l3-1.4c.9.3 1.9.4 3 .4h.6a5 5 0 0 1-.6-2.3c0-3 2.9-5.4 6.5-5.4h1C16.7 6.2 13.7 4 10 4z"/><circle cx="17" cy="15" r="4.5" fill="#f5a623"/></svg>',
)}`

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The browser of WeCom's own app, which needs no QR code. */
const isInside = (userAgent: string): boolean => /\bwxwork\//i.test(userAgent)

/** A login by WeCom: its own browser goes through at once, others are shown a QR code by WeCom and come back with what was scanned. */
export function createMethod(ctx: ServerContext, settings: () => Settings, client: WeCom): SignInMethod {
  /** Addresses of somebody whom WeCom has given a ticket for. Many companies let apps read little: where WeCom says no, a login goes without. */
  async function detailsOf(ticket: string): Promise<WeComReply> {
    if (ticket === '') return {}
    try {
      return await client.ask('/cgi-bin/auth/getuserdetail', { body: { user_ticket: ticket } })
    } catch (error) {
      if (errcodeOf(error) === undefined) throw error
      ctx.log.info('WeCom does not tell an address', { error: (error as Error).message })
      return {}
    }
  }

  /** The name is more than many companies let apps read: a login goes without. */
  async function nameOf(userId: string): Promise<string> {
    try {
      return text((await client.ask('/cgi-bin/user/get', { query: { userid: userId } })).name)
    } catch (error) {
      ctx.log.info('WeCom does not tell a name', { error: (error as Error).message })
      return ''
    }
  }

  return {
    shape: 'redirect',
    id: weComMethod,
    icon: ICON,
    get name() {
      return settings().label || 'WeCom'
    },
    usable: client.isSetUp,

    async start({ state, callback }) {
      const { corp_id, agent_id, login_url, inside_url, private_info } = settings()
      if (!isInside(ctx.host.request()?.userAgent ?? '')) {
        const url = new URL('/wwlogin/sso/login', login_url)
        const asked = { login_type: 'CorpApp', appid: corp_id, agentid: agent_id, redirect_uri: callback, state }
        url.search = new URLSearchParams(asked).toString()
        return url.href
      }
      const url = new URL('/connect/oauth2/authorize', inside_url)
      const scope = private_info ? 'snsapi_privateinfo' : 'snsapi_base'
      const asked = { appid: corp_id, redirect_uri: callback, response_type: 'code', scope, state, agentid: agent_id }
      url.search = new URLSearchParams(asked).toString()
      url.hash = 'wechat_redirect'
      return url.href
    },

    async finish(_, came) {
      const code = new URL(came).searchParams.get('code')
      if (!code) throw outsideErrors.sign_in_denied()
      const { userid, user_ticket } = await client.ask('/cgi-bin/auth/getuserinfo', { query: { code } })
      if (text(userid) === '') throw new Error('not a member of the company')
      const { email, biz_mail } = await detailsOf(text(user_ticket))
      return identityOf(client.companyId(), text(userid), await nameOf(text(userid)), [
        { address: text(biz_mail), verified: settings().trust_company_mail },
        { address: text(email), verified: false },
      ])
    },
  }
}

function identityOf(companyId: string, userId: string, name: string, emails: NonNullable<Identity['emails']>): Identity {
  return {
    externalId: memberKey(companyId, userId),
    emails: emails.filter(({ address }) => address !== ''),
    displayName: name,
    username: userId,
  }
}
