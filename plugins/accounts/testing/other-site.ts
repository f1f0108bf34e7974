import type { Site } from '@stoa/sdk/testing'

const API = '/answer/api/v1'

/** A browser that goes to another site to log in, keeps its cookies and is not led on by itself. */
export function openBrowser(site: Site, userAgent = 'Mozilla/5.0') {
  const cookies = new Map<string, string>()
  let token = ''

  /** @returns where it is led to, or the reply where it is led nowhere */
  async function go(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, 'user-agent': userAgent, 'content-type': 'application/json', ...(token && { authorization: token }) }
    const response = await fetch(new URL(path, site.url), { ...init, redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const ledTo = async (path: string) => (await go(path)).headers.get('location') ?? ''
  const send = async (method: string, path: string, body: object) => (await go(API + path, { method, body: JSON.stringify(body) })).json()

  return {
    go,
    ledTo,
    send,
    /** The address at the other site that a login leads to. */
    leave: (method: string, next = '') => ledTo(`${API}/connector/login/${method}${next && `?next=${encodeURIComponent(next)}`}`),
    /** Opens a page of the other site that sends back at once. @returns where to @throws with what the page says where it does not */
    async visit(address: string): Promise<string> {
      const response = await fetch(address, { redirect: 'manual', headers: { 'user-agent': userAgent } })
      const location = response.headers.get('location')
      if (!location) throw new Error(/<title>(.*?)<\/title>/.exec(await response.text())?.[1])
      return location
    },
    /** Follows the address by which the other site sends back. @returns path of the site that it leads to */
    comeBack: (address: string) => ledTo(new URL(address).pathname + new URL(address).search),
    /** Opens the session that waits behind the path. @returns the person */
    async land(path: string) {
      const { data } = await send('POST', '/connector/session', { code: new URL(path, site.url).searchParams.get('access_token') })
      return data
    },
    /** Logs a member of the test in by password. */
    async enter(name: string) {
      const { data } = await send('POST', '/user/login/email', { e_mail: `${name}@example.org`, pass: 'correct horse 7' })
      token = data.access_token
    },
  }
}
