import { isIPv6 } from 'node:net'
import type { Principal } from '@stoa/sdk/server'
import { baseErrors } from '@stoa/sdk/server'
import Bowser from 'bowser'
import type { AccountTools } from './account-tools.ts'

export interface Device {
  /** Such as `Firefox` and `Windows`; empty where nobody knows. */
  browser: string
  os: string
  kind: 'desktop' | 'mobile' | 'tablet' | ''
}

const kinds = new Set(['desktop', 'mobile', 'tablet'])

/** What a browser says of itself, in few words. */
export function deviceOf(userAgent: string): Device {
  if (!userAgent) return { browser: '', os: '', kind: '' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const kind = platform.type ?? ''
  return { browser: browser.name ?? '', os: os.name ?? '', kind: kinds.has(kind) ? (kind as Device['kind']) : '' }
}

/** The network that an address is in, so that a list of them tells no more than it has to: `203.0.113.x`, `2001:db8:1::`. */
export function networkOf(ip: string): string {
  const four = /(\d+\.\d+\.\d+)\.\d+$/.exec(ip)?.[1]
  if (four !== undefined) return `${four}.x`
  if (!isIPv6(ip)) return ''
  const [head = ''] = ip.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::`
}

/** Mails of this kind that one person gets in a day, so that a script that signs in for every call does not fill their box. */
const MOST_A_DAY = 5

/**
 * Tells somebody by mail that a browser has signed in that has not before; not at their first login, and not while the same browser has another session.
 * @returns what belongs into the browser's cookie, or nothing
 */
export async function noteBrowser({ ctx, profiles, mails }: AccountTools, principal: Principal): Promise<string> {
  const request = ctx.host.request()
  const { isKnown, mark } = await ctx.host.credentials.recogniseBrowser(principal.id, request?.browser)
  if (!request || !mark || isKnown) return mark
  const profile = await profiles.ensure(principal)
  if (profile.last_login_at === 0) return mark
  const sessions = await ctx.host.credentials.sessionsOf(principal.id)
  if (sessions.some(({ ip, userAgent }) => ip === request.ip && userAgent === request.userAgent)) return mark
  try {
    await ctx.host.limit('mail.new_device', { key: principal.id, max: MOST_A_DAY, seconds: 24 * 3600 })
  } catch (error) {
    if ((error as { code?: string }).code === baseErrors.too_many_requests.code) return mark
    throw error
  }
  const { browser, os } = deviceOf(request.userAgent)
  const device = [browser, os].filter(Boolean).join(', ') || '?'
  const link = `${ctx.site.url}/users/settings/sessions`
  await mails.queue('new_device', profile, { link, date: ctx.now(), device, network: networkOf(request.ip) || '?' })
  return mark
}
