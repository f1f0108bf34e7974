import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAdmin } from '@stoa/sdk'
import { sessionCookie } from '@stoa/sdk/server'
import { readCookie } from '../../sdk/pages/preferences.ts'
import type { KernelData } from '../data/index.ts'

const COOKIE = 'stoa_safe'
const PARAMETER = 'safe'

/** Safe mode for the session of one admin: `/?safe` begins it, `/?safe=off` ends it, and a cookie carries it. */
export interface SafeSessions {
  /** True when it may be one: only then is looking closer worth it. */
  maybe(req: IncomingMessage): boolean
  /** The cookie counts for nobody but an admin who is logged in. */
  isSafe(req: IncomingMessage): Promise<boolean>
  /** Begins or ends it for a document asked for with the parameter. @returns true when the reply is sent */
  enter(req: IncomingMessage, res: ServerResponse): Promise<boolean>
}

export function createSafeSessions(data: KernelData): SafeSessions {
  const wish = new RegExp(`[?&]${PARAMETER}(?=[=&]|$)`)
  const isWish = (url: string) => url.includes('?') && wish.test(url)
  async function isOfAdmin(req: IncomingMessage): Promise<boolean> {
    const token = readCookie(req.headers.cookie, sessionCookie.name)
    return isAdmin((token && (await data.credentials.authenticate(token))?.person) || null)
  }
  return {
    maybe: (req) => req.headers.cookie?.includes(`${COOKIE}=`) === true || isWish(req.url ?? ''),
    isSafe: async (req) => readCookie(req.headers.cookie, COOKIE) === '1' && (await isOfAdmin(req)),
    async enter(req, res) {
      if (req.method !== 'GET' || !isWish(req.url ?? '') || !(await isOfAdmin(req))) return false
      const url = new URL(`http://site${(req.url ?? '/').replace(/^\/{2,}/, '/')}`)
      const isOff = url.searchParams.get(PARAMETER) === 'off'
      url.searchParams.delete(PARAMETER)
      const secure = data.site.isSecure ? '; Secure' : ''
      const end = isOff ? '; Max-Age=0' : ''
      res.writeHead(303, {
        location: url.pathname + url.search,
        'set-cookie': `${COOKIE}=1; Path=/; HttpOnly; SameSite=Lax${end}${secure}`,
        'cache-control': 'no-store',
      })
      res.end()
      return true
    },
  }
}
