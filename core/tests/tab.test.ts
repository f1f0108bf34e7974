import { createHash } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright'
import { chromium } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../host-server/shared/types.ts'
import { findChromium } from '../../tests/support/browser.ts'
import type { TestSite } from './site.ts'
import { fillReplies, startTestSite } from './site.ts'

let site: TestSite
let reader: DiscoveredPlugin
let extra: DiscoveredPlugin
let extraTwo: DiscoveredPlugin
let browser: Browser
let context: BrowserContext
let page: Page
/** Complaints of the page: console errors and uncaught ones. */
let complaints: string[]

beforeAll(async () => {
  site = await startTestSite()
  reader = await site.build('reader')
  extra = await site.build('extra')
  extraTwo = await site.build('extra', (read, write) => write('web/hello.tsx', read('web/hello.tsx').replace('"one"', '"two"')))
  fillReplies(site)
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(async () => {
  await site.turnOn(reader, extra)
  context = await browser.newContext()
  page = await context.newPage()
  complaints = []
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(String(error)))
})
afterEach(() => context.close())

/** Opens a page and waits until it reacts. */
async function open(path: string, tab = page): Promise<void> {
  await tab.goto(site.url + path)
  await tab.locator('footer select:enabled').first().waitFor()
}

const sheets = () => page.locator('link[rel=stylesheet][data-plugin^=extra]').count()

/** Media of the rules that hold a plugin's sheets, in the joined sheet of the document. */
const inForce = ({ manifest }: DiscoveredPlugin) =>
  page.evaluate((folder) => {
    const state = JSON.parse(document.getElementById('stoa-page')?.textContent ?? '') as { sheets: string[] }
    const rules = [...(document.querySelector<HTMLLinkElement>('link[rel=stylesheet][data-joined]')?.sheet?.cssRules ?? [])]
    return state.sheets.flatMap((name, index) => (name.startsWith(folder) ? (rules[index] as CSSMediaRule).media.mediaText : []))
  }, `${manifest.slug}/`)

describe('a tab', () => {
  it('takes over what the server rendered, without asking again and without a difference', async () => {
    site.calls.length = 0
    await open('/')
    await page.locator('#hello').waitFor()
    expect(site.calls.filter((call) => !call.startsWith('server'))).toEqual([])
    expect(complaints).toEqual([])
    expect(await page.locator('h1').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
  })

  it('asks for no reply that it knows, and keeps what it shows while it asks for one that it knows no more', async () => {
    const knowing = await site.build('reader', (read, write) => {
      const later = `
        const none = []
        function Later({ isNone }) {
          const later = useData('/answer/api/v1/later', undefined, undefined, isNone ? none : undefined)
          const [pressed, setPressed] = useState(0)
          return <button type="button" id="later" onClick={() => setPressed(pressed + 1)}>{pressed} of {later.join(' and ') || 'none'}</button>
        }`
      write('web/list.tsx', read('web/list.tsx').replace('<Clock />', '<Clock /><Later isNone={data.posts.length < 3} />') + later)
    })
    await site.turnOn(knowing, extra)
    site.calls.length = 0
    await open('/')
    const button = page.locator('#later')
    await button.click()
    await button.getByText('1 of none').waitFor()
    expect(site.calls.filter((call) => call.endsWith('/later'))).toEqual([])

    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/later', async (route) => {
      await held
      await route.fulfill({ json: { code: 200, reason: '', msg: '', data: ['this', 'that'] } })
    })
    const before = site.replies['/answer/api/v1/posts'] as object[]
    site.replies['/answer/api/v1/posts'] = [...before, { id: '8', title: 'Eight' }, { id: '9', title: 'Nine' }]
    const asking = page.waitForRequest('**/later')
    await page.getByRole('button', { name: 'reload' }).click()
    await asking
    await button.click()
    await button.getByText('2 of none').waitFor()
    release()
    await button.getByText('2 of this and that').waitFor()
    site.replies['/answer/api/v1/posts'] = before
    expect(complaints).toEqual([])
  })

  it('follows a new generation with draft, scroll and other state kept, and one stylesheet each', async () => {
    await open('/')
    await page.fill('#draft', 'typed')
    await page.evaluate(() => scrollTo(0, 700))
    const started = await page.evaluate(() => performance.timeOrigin)
    expect(await inForce(extra)).toEqual(['all'])
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await site.turnOn(reader, extraTwo)
    await page.locator('#hello[data-generation=two]').waitFor()
    // The tab was started with joined files; of what changes it loads the new one's own, and the old styles are out.
    const files = asked.filter((path) => path.startsWith('/static/') && !path.startsWith('/static/core/swap.'))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !path.startsWith(`/static/js/extra/${extraTwo.generation}/`))).toEqual([])
    expect(await inForce(extra)).toEqual(['not all'])
    expect(await page.inputValue('#draft')).toBe('typed')
    expect(await page.evaluate(() => scrollY)).toBe(700)
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(started)
    expect(await sheets()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('whose set is another before its scripts come begins as it was drawn, and follows', async () => {
    const asked = Promise.withResolvers<void>()
    const switched = Promise.withResolvers<void>()
    await page.route('**/stoa/start/**', async (route) => {
      asked.resolve()
      await switched.promise
      await route.continue()
    })
    const opened = open('/')
    await asked.promise
    await site.turnOn(reader, extraTwo)
    switched.resolve()
    await opened
    await page.locator('#hello[data-generation=two]').waitFor()
    expect(complaints).toEqual([])
  })

  it('whose start nobody has any more takes what is on now', async () => {
    await page.route('**/stoa/start/**', (route) => route.fulfill({ status: 404 }))
    await open('/')
    await page.fill('#draft', 'typed')
    await site.turnOn(reader, extraTwo)
    await page.locator('#hello[data-generation=two]').waitFor()
    expect(await page.inputValue('#draft')).toBe('typed')
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([])
  })

  it('loses slots, styles and pages of a plugin that is switched off, and gets them back', async () => {
    await open('/')
    await page.fill('#draft', 'typed')
    await site.turnOn(reader)
    await page.locator('#hello').waitFor({ state: 'detached' })
    expect(await sheets()).toBe(0)
    expect(await inForce(extra)).toEqual(['not all'])
    await site.turnOn(reader, extra)
    await page.locator('#hello').waitFor()
    expect(await page.locator('#hello').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(10, 20, 30)')
    expect(await page.inputValue('#draft')).toBe('typed')
    expect(complaints).toEqual([])
  })

  it('says in place that the page it is on was switched off, which is no 404', async () => {
    await open('/extra')
    await site.turnOn(reader)
    await page.getByRole('alert').getByRole('heading', { name: '站点刚刚关闭了这项功能' }).waitFor()
    expect(await page.title()).toContain('站点刚刚关闭了这项功能')
    expect(await page.getByText('404').count()).toBe(0)
    await open('/extra')
    await page.getByRole('heading', { name: '抱歉，这个页面不存在' }).waitFor()
    await site.turnOn(reader, extra)
    await page.getByRole('heading', { name: 'Extra page' }).waitFor()
  })

  it('keeps the old generation when the new one cannot be had', async () => {
    await open('/')
    await context.route(`**/static/js/extra/${extraTwo.generation}/**`, (route) => route.abort())
    const warned = page.waitForEvent('console', (message) => message.text().includes('stays at generation'))
    await site.turnOn(reader, extraTwo)
    await warned
    expect(await page.locator('#hello').getAttribute('data-generation')).toBe('one')
  })

  it('loads file by file what its joined files do not bring, and runs none that was changed on the way', async () => {
    await context.route('**/static/joined/**', async (route) => {
      const reply = await route.fetch()
      const isScript = route.request().url().endsWith('.js')
      await route.fulfill({ response: reply, body: `${await reply.text()}${isScript ? ';document.title="evil"' : 'h1{color:red}'}` })
    })
    await open('/')
    await page.locator('#hello').waitFor()
    expect(await page.title()).toBe('帖子 - 测试站')
    expect(await page.locator('h1').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
    expect(await page.locator('#hello').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(10, 20, 30)')
    await site.turnOn(reader)
    await page.locator('#hello').waitFor({ state: 'detached' })
    expect(await sheets()).toBe(0)
  })

  it('refuses a file whose bytes are not those that were built', async () => {
    await context.route(`**/static/js/extra/${extra.generation}/page.*.js`, async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, body: `${await reply.text()};alert(1)` })
    })
    await open('/')
    await page.locator('nav a[href="/extra"]').click()
    await page.getByText('is missing or is not what was built').waitFor()
  })

  it('refuses a list of files that is not the one of the generation, whatever else fits to it', async () => {
    const evil = 'alert(1)'
    await context.route(`**/static/js/extra/${extra.generation}/page.*.js`, (route) =>
      route.fulfill({ body: evil, contentType: 'text/javascript' }),
    )
    await context.route(`**/static/js/extra/${extra.generation}/web.json`, async (route) => {
      const facts = (await (await route.fetch()).json()) as { integrity: Record<string, string> }
      const digest = `sha384-${createHash('sha384').update(evil).digest('base64')}`
      for (const file of Object.keys(facts.integrity)) if (file.startsWith('page.')) facts.integrity[file] = digest
      await route.fulfill({ json: facts })
    })
    await open('/')
    const asked = page.waitForRequest('**/web.json')
    await page.locator('nav a[href="/extra"]').click()
    await asked
    await page.getByText('web.json is not what was built').waitFor()
  })

  it('navigates without a document: title, focus and scroll follow, back returns to where one was', async () => {
    await open('/')
    await page.evaluate(() => scrollTo(0, 400))
    await page
      .locator('nav a[href="/editor"]')
      .first()
      .evaluate((link: HTMLElement) => link.click())
    await page.getByRole('heading', { name: 'Only in the browser' }).waitFor()
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1'])
    await page.goBack()
    await page.locator('#draft').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(400)
    expect(await page.title()).toBe('帖子 - 测试站')
    expect(complaints).toEqual([])
  })

  it('stays as it is when a link leads within the page', async () => {
    await open('/')
    await page.fill('#draft', 'typed')
    site.calls.length = 0
    await page.getByRole('link', { name: '跳到正文' }).press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'content')
    expect(site.calls).toEqual([])
    // The link that has the focus now may look ahead.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('content')
    expect(await page.inputValue('#draft')).toBe('typed')
    await page.goBack()
    expect(new URL(page.url()).hash).toBe('')
    expect(await page.inputValue('#draft')).toBe('typed')
  })

  it('asks before unsaved changes are left', async () => {
    await open('/editor')
    await page.fill('#only', 'unsaved')
    await page.locator('nav a[href="/"]').first().click()
    await page.getByRole('dialog').getByRole('button', { name: '留下' }).click()
    expect(new URL(page.url()).pathname).toBe('/editor')
    expect(await page.inputValue('#only')).toBe('unsaved')
    await page.locator('nav a[href="/"]').first().click()
    await page.getByRole('dialog').getByRole('button', { name: '离开' }).click()
    await page.locator('#draft').waitFor()
  })

  it('sends a visitor to the login and back to where they wanted to go', async () => {
    await open('/private')
    await page.waitForURL('**/login')
    await page.locator('#login').click()
    await page.waitForURL('**/private')
    await page.getByRole('heading', { name: 'Only in the browser' }).waitFor()
    expect(site.calls.some((call) => call === 'GET /answer/api/v1/user/info')).toBe(true)
  })

  it('changes language and colours in place', async () => {
    await open('/')
    await page.fill('#draft', 'typed')
    await page.locator('footer select').first().selectOption('en_US')
    await page.getByRole('heading', { name: 'Posts' }).waitFor()
    expect(await page.locator('#count').textContent()).toBe('1 post')
    expect(await page.inputValue('#draft')).toBe('typed')
    await page.locator('footer select').last().selectOption('dark')
    expect(await page.locator('html').getAttribute('data-scheme')).toBe('dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
  })
})

describe('ten tabs', () => {
  it('follow a switch over one stream', async () => {
    const streams: string[] = []
    context.on('request', (request) => void (request.url().endsWith('/stoa/events') && streams.push(request.url())))
    const tabs = [page]
    for (let n = 1; n < 10; n++) tabs.push(await context.newPage())
    for (const tab of tabs) await open('/', tab)
    await site.turnOn(reader, extraTwo)
    await Promise.all(tabs.map((tab) => tab.locator('#hello[data-generation=two]').waitFor({ state: 'attached', timeout: 5000 })))
    expect(streams).toHaveLength(1)
  })
})

describe('without JavaScript', () => {
  it('a page can be read', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const tab = await plain.newPage()
    await tab.goto(`${site.url}/posts/1`)
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('第一篇')
    expect(await tab.locator('#text').isVisible()).toBe(true)
    expect(await tab.locator('#hello').isVisible()).toBe(true)
    await plain.close()
  })
})
