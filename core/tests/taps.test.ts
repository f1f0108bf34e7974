import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../host-server/shared/types.ts'
import { launchBrowser } from '../../tests/support/browser.ts'
import type { Request, TestSite } from './site.ts'
import { fillReplies, refusal, startTestSite } from './site.ts'

/** What the fixture hands out in `/caller`. */
declare const window: {
  api: Record<'get' | 'post' | 'upload', (...args: unknown[]) => Promise<unknown>>
  kernel: {
    login(token: string): Promise<void>
    logout(): void
    refreshPerson(force: boolean): Promise<void>
    refreshSite(): Promise<void>
  }
  navigate(to: string): void
  seen?: string[]
  joined?: string
  result?: unknown
}

const API = '/answer/api/v1'
let site: TestSite
let reader: DiscoveredPlugin
let extra: DiscoveredPlugin
let caller: DiscoveredPlugin
let toys: DiscoveredPlugin
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
/** What came in at the addresses of the test. */
let received: (Request & { token: string | undefined })[]

beforeAll(async () => {
  site = await startTestSite()
  reader = await site.build('reader')
  extra = await site.build('extra')
  caller = await site.build('caller')
  toys = await site.build('toys')
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(async () => {
  fillReplies(site)
  await site.turnOn(reader, extra, caller, toys)
  context = await browser.newContext()
  page = await context.newPage()
  complaints = []
  received = []
  site.warnings.length = 0
  page.on('console', (message) => void (/error|warning/.test(message.type()) && complaints.push(message.text())))
  site.calls.length = 0
})
afterEach(() => context.close())

/** Opens a page and waits until it reacts. */
async function open(path: string): Promise<void> {
  await page.goto(site.url + path)
  await page.locator('footer select:enabled').first().waitFor()
}

/** Has an address answer, and notes what came in. */
function answer(path: string, reply: (nth: number, request: Request) => unknown): void {
  let count = 0
  site.replies[path] = (token: string | undefined, request: Request) => {
    received.push({ ...request, token })
    return reply(++count, request)
  }
}

/** A call of the page; what it came to stands in `window.result`. */
const start = (method: 'get' | 'post', path: string, body?: unknown) =>
  page.evaluate(
    ([method, path, body]) => {
      window.result = undefined
      void window.api[method as 'get'](path, body).then(
        (data) => (window.result = data),
        (error: { code: number; reason: string; fields: object; shown: boolean }) =>
          (window.result = { code: error.code, reason: error.reason, fields: error.fields, shown: error.shown }),
      )
    },
    [method, path, body] as const,
  )
const result = async () => {
  await page.waitForFunction(() => window.result !== undefined)
  return await page.evaluate(() => window.result)
}
async function call(method: 'get' | 'post', path: string, body?: unknown): Promise<unknown> {
  await start(method, path, body)
  return await result()
}
/** What the taps of the plugin add to a call now. */
async function lastToys(): Promise<unknown> {
  answer(`${API}/added`, () => ({}))
  await call('post', 'added')
  return received.at(-1)?.headers['x-toys']
}
const seen = () => page.evaluate(() => window.seen ?? [])
const sees = (what: string) => page.waitForFunction((what) => window.seen?.includes(what), what)
const dialog = () => page.getByRole('dialog')
/** Browsers and switches take their time. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })
const bodies = () => received.map(({ body }) => JSON.parse(body))
const loadedTaps = () =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /\/toys\/.*\/(?!entry)([\w-]+)\.\w+\.js/.exec(name)?.[1])
      .filter(Boolean),
  )

describe('a call', () => {
  it('gets fields and headers from taps, in their order; those of the kernel stay', async () => {
    answer(`${API}/added`, () => ({ n: 1 }))
    answer(`${API}/added?page=1&added=first+second`, () => ({ n: 2 }))
    await open('/caller')
    expect(await call('post', 'added', { own: 'mine' })).toEqual({ n: 1 })
    expect(bodies()).toEqual([{ own: 'mine', added: 'first second' }])
    expect(received[0]?.headers).toMatchObject({ 'x-toys': 'first toys', 'accept-language': 'zh_CN' })
    expect(received[0]?.token).not.toBe('forged')
    expect(await call('get', 'added?page=1')).toEqual({ n: 2 })
  })

  it('may be one of a page, of its components, or an upload', async () => {
    answer(`${API}/added/file`, () => ({ n: 3 }))
    await open('/caller')
    await page.evaluate(async () => {
      window.result = await window.api.upload('added/file', { own: 'mine' }, new File(['text'], 'a.txt'))
    })
    expect(received[0]?.body).toMatch(/name="own"\r\n\r\nmine[\s\S]*name="added"\r\n\r\nfirst second[\s\S]*text/)
    expect(received[0]?.headers['x-toys']).toBe('first toys')
    // The page's own load, and what its component asks for.
    answer(`${API}/posts`, () => refusal(403, 'again'))
    answer(`${API}/posts?attempt=1`, () => [{ id: '1', title: 'after a repeat' }])
    answer(`${API}/now`, () => refusal(403, 'again'))
    answer(`${API}/now?attempt=1`, () => ({ now: 44 }))
    await page.evaluate(() => window.navigate('/'))
    await page.getByRole('link', { name: 'after a repeat' }).waitFor()
    expect(await page.locator('#now').textContent()).toBe('44')
  })

  it('of the session goes the same way', async () => {
    await open('/caller')
    await page.evaluate(() => window.kernel.login('secret'))
    await page.waitForURL(`${site.url}/`)
    answer(`${API}/user/info`, () => refusal(403, 'again'))
    answer(`${API}/user/info?attempt=1`, () => ({
      id: '1',
      username: 'ming',
      display_name: '小明',
      language: 'Default',
      color_scheme: 'default',
    }))
    await open('/')
    await sees('opened ming found')
    expect(received.map(({ token }) => token)).toEqual(['secret', 'secret'])
  })

  it('loads no tap that it does not need', async () => {
    answer(`${API}/plain`, () => ({ n: 1 }))
    await open('/caller')
    await sees('navigated document  /caller "测试站"')
    const before = await loadedTaps()
    expect(await call('post', 'plain')).toEqual({ n: 1 })
    expect(await loadedTaps()).toEqual(before)
    expect(before).toEqual(['web-navigated'].map(() => expect.stringContaining('navigated')))
  })
})

describe('a refused call', () => {
  const wrong = (text: string) => refusal(400, 'form', [{ error_field: 'code', error_msg: text }])

  it('is repeated with what a person answered in a dialog of the plugin, as often as they answer', async () => {
    answer(`${API}/coded`, (_, { body }) => (JSON.parse(body).code === 'right' ? { n: 1 } : wrong('not this')))
    await open('/caller')
    await page.fill('#typed', 'kept')
    await start('post', 'coded', { own: 'mine' })
    await dialog().getByRole('heading', { name: '请输入代码' }).waitFor()
    expect(await dialog().getAttribute('aria-labelledby')).toBeTruthy()
    expect(await page.locator('#problem').textContent()).toBe('')
    await page.locator('#code').fill('left')
    await page.keyboard.press('Enter')
    await page.locator('#code[data-attempt="2"]').waitFor()
    expect(await page.locator('#problem').textContent()).toBe('not this')
    await page.locator('#code').fill('right')
    await page.keyboard.press('Enter')
    expect(await result()).toEqual({ n: 1 })
    expect(bodies()).toEqual([{ own: 'mine' }, { own: 'mine', code: 'left' }, { own: 'mine', code: 'right' }])
    expect(await dialog().count()).toBe(0)
    expect(await page.inputValue('#typed')).toBe('kept')
  })

  it('is waited for as long as a person takes', async () => {
    answer(`${API}/coded`, (_, { body }) => (JSON.parse(body).code === 'right' ? { n: 1 } : wrong('')))
    await page.clock.install()
    await open('/caller')
    await start('post', 'coded')
    await page.locator('#code').waitFor()
    await page.clock.runFor(60_000)
    await page.locator('#code').fill('right')
    await page.keyboard.press('Enter')
    expect(await result()).toEqual({ n: 1 })
    expect(complaints.join()).not.toContain('took longer')
  })

  it('ends with its first error when the dialog is closed', async () => {
    answer(`${API}/coded`, (nth) => wrong(`problem ${nth}`))
    await open('/caller')
    await start('post', 'coded')
    await page.locator('#code').fill('x')
    await page.keyboard.press('Enter')
    await page.locator('#code[data-attempt="2"]').waitFor()
    await page.keyboard.press('Escape')
    expect(await result()).toMatchObject({ code: 400, fields: { code: 'problem 1' }, shown: false })
  })

  it.each([
    ['the page is left', () => page.evaluate(() => window.navigate('/extra'))],
    ['the plugin goes off', () => site.turnOn(reader, extra, caller)],
    ['the dialog breaks', () => dialog().getByRole('button', { name: 'break' }).click()],
  ])('ends with its error when %s', async (_, happens) => {
    answer(`${API}/coded`, () => wrong('not this'))
    await open('/caller')
    await start('post', 'coded')
    await page.locator('#code').waitFor()
    await happens()
    expect(await result()).toMatchObject({ code: 400, fields: { code: 'not this' } })
    await dialog().waitFor({ state: 'detached' })
    expect(received).toHaveLength(1)
  })

  it('waits for the dialog of another one', async () => {
    answer(`${API}/coded`, (_, { body }) => (JSON.parse(body).code ? JSON.parse(body) : wrong('')))
    await open('/caller')
    await page.evaluate(() => {
      const calls = [1, 2].map((n) => window.api.post('coded', { n }))
      void Promise.all(calls).then((all) => (window.result = all))
    })
    for (const code of ['one', 'two']) {
      await page.locator('#code').waitFor()
      expect(await dialog().count()).toBe(1)
      await page.locator('#code').fill(code)
      await page.keyboard.press('Enter')
      if (code === 'one') await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#code')?.value === '')
    }
    const codes = ((await result()) as { n: number; code: string }[]).map(({ code }) => code)
    expect(codes.sort()).toEqual(['one', 'two'])
  })

  it('is sent again as who one is after a new session; before that the session is not given up', async () => {
    site.replies[`${API}/mine`] = (token: string | undefined) => (token === 'secret' ? { n: 1 } : refusal(401, 'gone'))
    await open('/caller')
    await start('get', 'mine')
    await dialog().getByRole('button').last().waitFor()
    expect(new URL(page.url()).pathname).toBe('/caller')
    await dialog()
      .getByRole('button', { name: '好' })
      .or(dialog().getByRole('button', { name: '确定' }))
      .click()
    expect(await result()).toEqual({ n: 1 })
    expect(new URL(page.url()).pathname).toBe('/caller')
    await sees('opened ming login')
  })

  it('ends as a lost session when nobody logs in again', async () => {
    site.replies[`${API}/mine`] = () => refusal(401, 'gone')
    await open('/caller')
    await start('get', 'mine')
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    expect(await result()).toMatchObject({ code: 401, shown: true })
    await page.waitForURL('**/login')
  })

  it('is repeated once by a tap that asks nobody', async () => {
    answer(`${API}/repeated`, () => refusal(403, 'again'))
    await open('/caller')
    expect(await call('post', 'repeated', { own: 1 })).toMatchObject({ code: 403 })
    expect(bodies()).toEqual([{ own: 1 }, { own: 1, attempt: 1 }])
    expect(received[1]?.headers['x-attempt']).toBe('2')
  })

  it('is repeated five times at most, whoever answers', async () => {
    answer(`${API}/coded`, () => wrong('never right'))
    await open('/caller')
    await start('post', 'coded')
    for (let attempt = 1; attempt <= 6; attempt++) {
      await page.locator(`#code[data-attempt="${attempt}"]`).fill(`try ${attempt}`)
      await page.keyboard.press('Enter')
    }
    expect(await result()).toMatchObject({ code: 400 })
    expect(received).toHaveLength(6)
  })

  it('without a reply is repeated only where it reads', async () => {
    await open('/caller')
    for (const path of ['lost', 'lost?attempt=1']) await context.route(`**${API}/${path}`, (route) => route.abort())
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url().split('/v1/')[1]}`))
    expect(await call('post', 'lost')).toMatchObject({ code: 0 })
    expect(await call('get', 'lost')).toMatchObject({ code: 0 })
    expect(asked.filter((one) => one.includes('lost'))).toEqual(['POST lost', 'GET lost', 'GET lost?attempt=1'])
  })

  it('is not seen by the tap in whose dialog it is made', async () => {
    answer(`${API}/coded`, () => wrong('not this'))
    await open('/caller')
    await start('post', 'coded')
    await dialog().getByRole('button', { name: 'call' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#code')?.value === 'form')
    expect(await dialog().count()).toBe(1)
  })
})

describe('a tap that fails', () => {
  const misbehaving = (how: string) => {
    answer(`${API}/misbehave.${how}`, () => refusal(409, `misbehave.${how}`))
    return call('post', `misbehave.${how}`)
  }

  it.each(['throws', 'nonsense'])('because it %s is skipped and charged to its plugin', async (how) => {
    await open('/caller')
    const report = new Promise<Request>((resolve) => answer('/stoa/faults', (_, request) => void resolve(request)))
    expect(await misbehaving(how)).toMatchObject({ code: 409 })
    expect(JSON.parse((await report).body)).toMatchObject({ slug: 'toys', generation: toys.generation })
    expect(complaints.join()).toContain('toys failed in kernel.replied')
  })

  it('is left out of this tab when it keeps failing', async () => {
    await open('/caller')
    for (let n = 0; n < 3; n++) await misbehaving('throws')
    answer(`${API}/repeated`, () => refusal(403, 'again'))
    received.length = 0
    await call('post', 'repeated')
    expect(received).toHaveLength(1)
  })

  it('because its code cannot be had is skipped as well', async () => {
    await context.route('**/static/js/toys/**/*misbehave*', (route) => route.abort())
    await open('/caller')
    expect(await misbehaving('throws')).toMatchObject({ code: 409 })
    expect(complaints.join()).toContain('toys failed in kernel.replied')
  })

  it('is named when it is slow', async () => {
    await page.clock.install()
    await open('/caller')
    // Time stands still from here on, so that no machine is too slow for this.
    await page.clock.pauseAt(Date.now() + 60_000)
    answer(`${API}/misbehave.slow`, () => refusal(409, 'misbehave.slow'))
    await start('post', 'misbehave.slow')
    await eventually(async () => {
      await page.clock.runFor(100)
      return await page.evaluate(() => window.result)
    }).toMatchObject({ code: 409 })
    expect(complaints.join()).toMatch(/toys takes 1\.\d s in kernel\.replied/)
  })

  it('is given up after ten seconds', async () => {
    await page.clock.install()
    await open('/caller')
    answer(`${API}/misbehave.hangs`, () => refusal(409, 'misbehave.hangs'))
    const code = page.waitForResponse('**/*misbehave.*.js')
    await start('post', 'misbehave.hangs')
    await code
    await eventually(async () => {
      await page.clock.runFor(10_000)
      return await page.evaluate(() => window.result)
    }).toMatchObject({ code: 409 })
    expect(complaints.join()).toContain('The tap of toys on kernel.replied took longer than 10 s')
    expect(await seen()).toContain('given up')
  })

  it('does not see the calls it makes', async () => {
    await open('/caller')
    expect(await misbehaving('calls')).toMatchObject({ code: 409 })
    expect(await seen()).toContain('its own call came back')
    expect(received).toHaveLength(2)
  })
})

describe('a navigation', () => {
  it('is led elsewhere: 302 in the document, and in the tab', async () => {
    const reply = await fetch(`${site.url}/moved/a`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/posts/1?how=document'])
    await open('/caller')
    await page.evaluate(() => window.navigate('/moved/a'))
    await page.waitForURL('**/posts/1?how=push')
    await page.goBack()
    await page.getByRole('heading', { name: 'Caller' }).waitFor()
  })

  it('is led elsewhere on the way back too, from where the page stood', async () => {
    await site.turnOn(reader, extra, caller)
    await open('/caller')
    await page.evaluate(() => window.navigate('/moved/a'))
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
    await page.evaluate(() => window.navigate('/caller'))
    await page.getByRole('heading', { name: 'Caller' }).waitFor()
    await site.turnOn(reader, extra, caller, toys)
    await eventually(lastToys).toBe('first toys')
    await page.goBack()
    await page.waitForURL('**/posts/1?how=pop')
    await page.goBack()
    await page.getByRole('heading', { name: 'Caller' }).waitFor()
  })

  it('is led to no other site, and not in circles', async () => {
    const reply = await fetch(`${site.url}/moved/far`, { redirect: 'manual' })
    expect(reply.status).toBe(200)
    expect(site.warnings.join()).toMatch(/toys failed at \/moved\/far/)
    await open('/caller')
    await page.evaluate(() => window.navigate('/moved/round'))
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
    expect(complaints.join()).toContain('Plugins keep sending on')
  })

  it('is held back, whichever way it comes', async () => {
    await open('/caller')
    await page.evaluate(() => window.navigate('/posts/2'))
    await page.waitForURL('**/posts/2')
    await page.evaluate(() => window.navigate('/caller'))
    await page.waitForURL('**/caller')
    await page.evaluate(() => window.navigate('/held'))
    await sees('push /caller /held')
    expect(new URL(page.url()).pathname).toBe('/caller')
    await page.goBack()
    await sees('pop /caller /posts/2')
    await page.waitForURL('**/posts/2')
  })

  it('follows the last wish while a tap is still thinking', async () => {
    await open('/caller')
    const code = page.waitForRequest('**/*in-the-tab*')
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route('**/*in-the-tab*', async (route) => {
      await released
      await route.continue()
    })
    await page.evaluate(() => window.navigate('/posts/2'))
    await code
    await page.evaluate(() => window.navigate('/extra'))
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
    release()
    await page.evaluate(() => window.navigate('/caller'))
    await page.getByRole('heading', { name: 'Caller' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/caller')
  })

  it('is told of when its page stands', async () => {
    await open('/caller')
    await sees('navigated document  /caller "测试站"')
    await page.evaluate(() => window.navigate('/posts/1'))
    await sees('navigated push /caller /posts/1 "第一篇 - 测试站"')
  })
})

describe('a guard of a plugin', () => {
  it('is asked for the document and in the tab, and its code is there before the page comes to life', async () => {
    const html = await (await fetch(`${site.url}/guarded`)).text()
    expect(html).toContain('<h1>Let in</h1>')
    const [, scripts = ''] = /modulepreload[^>]*href="([^"]+)"[^>]* data-joined/.exec(html) ?? []
    expect(await (await fetch(site.url + scripts)).text()).toMatch(new RegExp(`/toys/${toys.generation}/[^]*"web/[\\w-]*open`))
    await open('/guarded')
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
    expect(complaints).toEqual([])
    site.replies[`${API}/siteinfo`] = { general: { name: 'closed' } }
    const reply = await fetch(`${site.url}/guarded`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/'])
    await open('/caller')
    await page.evaluate(() => window.navigate('/guarded'))
    await page.waitForURL(`${site.url}/`)
  })

  it('that fails refuses, and the page says whose it is', async () => {
    const reply = await fetch(`${site.url}/refused`)
    expect(reply.status).toBe(500)
    expect(await reply.text()).toContain('插件“toys”的检查“toys.broken”出错')
    expect(site.warnings.join()).toContain('toys failed at /refused: Error: Error: broken guard')
    await open('/caller')
    const report = new Promise<Request>((resolve) => answer('/stoa/faults', (_, request) => void resolve(request)))
    await page.evaluate(() => window.navigate('/refused'))
    await page.getByText('插件“toys”的检查“toys.broken”出错').waitFor()
    expect(JSON.parse((await report).body)).toMatchObject({ slug: 'toys', message: 'Error: broken guard' })
  })

  it('whose code cannot be had refuses until it can', async () => {
    await open('/caller')
    await context.route('**/static/js/toys/**/*open*', (route) => route.abort())
    await page.evaluate(() => window.navigate('/guarded'))
    await page.getByText('插件“toys”的检查“toys.open”出错').waitFor()
    expect(await page.getByRole('heading', { name: 'Let in' }).count()).toBe(0)
    await context.unrouteAll()
    await eventually(async () => {
      await page
        .getByRole('button', { name: '再试一次' })
        .click({ timeout: 1000 })
        .catch(() => {})
      return await page.getByRole('heading', { name: 'Let in' }).count()
    }).toBe(1)
  })

  it('that nobody has refuses, also once its plugin has gone', async () => {
    expect((await fetch(`${site.url}/unknown`)).status).toBe(200)
    expect(await (await fetch(`${site.url}/unknown`)).text()).not.toContain('Let in')
    await open('/guarded')
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
    await site.turnOn(reader, extra, caller)
    await page.getByText('403', { exact: true }).waitFor()
    await site.turnOn(reader, extra, caller, toys)
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
  })
})

describe('what happens to person and site', () => {
  it('is told: opened, refreshed, ended', async () => {
    await open('/caller')
    await page.evaluate(() => window.kernel.login('secret'))
    await sees('opened ming login')
    await page.waitForURL(`${site.url}/`)
    await open('/caller')
    await sees('opened ming found')
    await page.evaluate(() => window.kernel.refreshPerson(true))
    await sees('refreshed ming')
    await page.evaluate(() => window.kernel.logout())
    await sees('ended ming')
  })

  it('is told in other tabs too', async () => {
    await open('/caller')
    const other = await context.newPage()
    await other.goto(`${site.url}/caller`)
    await other.locator('footer select:enabled').first().waitFor()
    await other.waitForFunction(() => window.kernel !== undefined)
    await other.evaluate(() => window.kernel.login('secret'))
    await sees('opened ming found')
  })

  it('is told of the site and of language and colours, and whether somebody chose them', async () => {
    await open('/caller')
    site.replies[`${API}/siteinfo`] = { general: { name: 'renamed' } }
    await page.evaluate(() => window.kernel.refreshSite())
    await sees('site 测试站 renamed')
    await page.locator('footer select').nth(1).selectOption('dark')
    await sees('zh_CN system to zh_CN dark by {"scheme":"dark"}')
    await page.locator('footer select').first().selectOption('en_US')
    await sees('zh_CN dark to en_US dark by {"language":"en_US"}')
    const own = { ...(site.replies[`${API}/user/info`] as (token: string) => object)('secret'), language: 'zh_CN' }
    site.replies[`${API}/user/info`] = (token: string | undefined) => (token === 'secret' ? own : null)
    await page.evaluate(() => window.kernel.login('secret'))
    await sees('en_US dark to zh_CN dark by "nobody"')
  })
})

describe('a plugin in the browser', () => {
  it('joins and leaves every moment with its switch, and a swap brings its new taps', async () => {
    answer(`${API}/added`, () => ({}))
    await site.turnOn(reader, extra, caller)
    await open('/caller')
    await call('post', 'added')
    await site.turnOn(reader, extra, caller, toys)
    await eventually(lastToys).toBe('first toys')
    const louder = await site.build('toys', (read, write) =>
      write('web/add-first.ts', read('web/add-first.ts').replaceAll('first', 'FIRST')),
    )
    await site.turnOn(reader, extra, caller, louder)
    await eventually(lastToys).toBe('FIRST toys')
    await site.turnOn(reader, extra, caller)
    await eventually(lastToys).toBeUndefined()
    expect(complaints).toEqual([])
  })

  it('has the new generation of its loaded taps before the old one goes, or stays with the old one', async () => {
    answer(`${API}/added`, () => ({}))
    await open('/caller')
    await call('post', 'added')
    const louder = await site.build('toys', (read, write) =>
      write('web/add-first.ts', read('web/add-first.ts').replaceAll('first', 'FIRST')),
    )
    await context.route(`**/static/js/toys/${louder.generation}/**`, (route) => route.abort())
    const stayed = page.waitForEvent('console', (message) => message.text().includes('stays at generation'))
    await site.turnOn(reader, extra, caller, louder)
    await stayed
    await call('post', 'added')
    expect(received.at(-1)?.headers['x-toys']).toBe('first toys')
  })

  it('ends what its taps are doing when it goes', async () => {
    answer(`${API}/coded`, () => refusal(400, 'form', [{ error_field: 'code', error_msg: '' }]))
    await open('/caller')
    await start('post', 'coded')
    await page.locator('#code').waitFor()
    await site.turnOn(reader, extra, caller)
    await sees('aborted')
  })

  it('joins while one of its components is mounted, and only then', async () => {
    answer(`${API}/quiet`, () => refusal(409, 'quiet'))
    await open('/caller')
    await page.locator('#join').click()
    await page.locator('#joined').waitFor()
    await call('post', 'quiet')
    expect(await page.evaluate(() => window.joined)).toBe('caller quiet')
    await page.evaluate(() => window.navigate('/extra'))
    await page.evaluate(() => (window.joined = ''))
    expect(new URL(page.url()).pathname).toBe('/caller')
    await page.locator('#join').click()
    await call('post', 'quiet')
    expect(await page.evaluate(() => window.joined)).toBe('')
    await page.evaluate(() => window.navigate('/extra'))
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
  })
})

describe('a page that would lose something', () => {
  const stay = () => dialog().getByRole('button', { name: '留下' }).click()
  const leave = () => dialog().getByRole('button', { name: '离开' }).click()
  const away = () => page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/extra"]')?.click())

  it('asks once, however many parts hold it, until the last lets go', async () => {
    await open('/two-forms')
    await page.fill('#one', 'a')
    await page.fill('#two', 'b')
    await away()
    await dialog().waitFor()
    expect(await dialog().count()).toBe(1)
    await stay()
    await dialog().waitFor({ state: 'detached' })
    expect(await page.inputValue('#one')).toBe('a')
    await page.fill('#one', '')
    await away()
    await stay()
    await page.fill('#two', '')
    await away()
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
  })

  it('goes on once when the person wants to leave, also back', async () => {
    await open('/extra')
    await page.evaluate(() => history.pushState(null, ''))
    await open('/two-forms')
    await page.fill('#one', 'a')
    await page.fill('#two', 'b')
    await away()
    await leave()
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
    expect(await dialog().count()).toBe(0)
    await page.goBack()
    await page.fill('#one', 'again')
    await page.evaluate(() => history.forward())
    await leave()
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
  })

  it('asks before the document is left', async () => {
    await open('/two-forms')
    await page.fill('#one', 'a')
    const asked = page.waitForEvent('dialog')
    const reloading = page.reload().catch(() => {})
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.accept()
    await reloading
  })
})
