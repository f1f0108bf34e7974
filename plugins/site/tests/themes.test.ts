import { sessionCookie } from '@stoa/sdk/server'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

const THEME = '/answer/admin/api/siteinfo/theme'

describe('themes', () => {
  let site: Site
  let browser: Browser
  let admin: TestPerson
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
    admin = await site.admin()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const on = () => site.plugins.list().flatMap(({ slug, type, state }) => (type === 'theme' && state === 'on' ? [slug] : []))
  const info = async () => (await site.visitor().get('/answer/api/v1/siteinfo')).data.theme
  const surface = (page: Page) => page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--radius').trim()`)
  async function open(path: string, person?: TestPerson): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', baseURL: site.url })
    if (person)
      await context.addInitScript((token) => localStorage.setItem('stoa:token', JSON.stringify({ v: token, until: null })), person.token)
    const page = await context.newPage()
    await page.goto(path)
    return page
  }

  it('are for admins to choose', async () => {
    for (const person of [site.visitor(), await site.member(), await site.moderator()]) {
      expect([401, 403]).toContain((await person.get('/answer/admin/api/siteinfo/themes')).status)
      expect([401, 403]).toContain((await person.put(THEME, { theme: 'paper' })).status)
    }
  })

  it('that are off are on offer, with their names in the language of the reader', async () => {
    const { data } = await admin.get('/answer/admin/api/siteinfo/theme')
    expect(data.theme_options.map(({ value }: { value: string }) => value).sort()).toEqual(['default', 'garden', 'paper'])
    const { data: themes } = await admin.get('/answer/admin/api/siteinfo/themes')
    expect(themes.map(({ value, is_on }: { value: string; is_on: boolean }) => [value, is_on])).toContainEqual(['paper', false])
    expect(themes.every(({ css }: { css: string }) => css.includes('--surface'))).toBe(true)
  })

  it('are chosen by switching: open tabs follow without a new document', async () => {
    const reader = await open('/')
    const before = await surface(reader)
    const born = await reader.evaluate(() => performance.timeOrigin)
    const page = await open('/admin/themes', admin)
    await page.getByRole('radio', { name: /^Paper/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(on).toEqual(['theme-paper'])
    await expect.poll(() => surface(reader)).toBe('0px')
    expect(await reader.evaluate(() => performance.timeOrigin)).toBe(born)
    expect((await info()).theme).toBe('paper')
    expect((await site.plugins.history({ slug: 'theme-paper', offset: 0, limit: 1 })).list[0]).toMatchObject({ deed: 'on', way: 'page' })
    await page.getByRole('radio', { name: /^Default/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => surface(reader)).toBe(before)
    for (const tab of [reader, page]) await tab.context().close()
  })

  it('follow their plugin when that is switched on the plugins page', async () => {
    await site.plugins.switch('theme-garden', true, site.plugins.epoch)
    expect((await info()).theme).toBe('garden')
    await site.plugins.switch('theme-garden', false, site.plugins.epoch)
    expect((await info()).theme).toBe('default')
    await admin.put(THEME, { theme: 'default' })
    expect(on()).toEqual(['theme-default'])
  })

  it('keep a colour and a header each', async () => {
    await admin.put(THEME, { theme: 'default', theme_config: { default: { navbar_style: 'light', primary_color: '#0f766e' } } })
    await admin.put(THEME, { theme: 'paper', theme_config: { paper: { primary_color: '#c2410c' }, unknown: { primary_color: '#000000' } } })
    expect((await info()).theme_config).toEqual({
      default: { navbar_style: 'light', primary_color: '#0f766e' },
      paper: { navbar_style: 'colored', primary_color: '#c2410c' },
    })
    expect(await (await site.visitor().fetch('/')).text()).toContain('/static/primary-c2410c.css')
    await admin.put(THEME, { theme: 'default' })
    expect(await (await site.visitor().fetch('/')).text()).toContain('/static/primary-0f766e.css')
  })

  it('that do not exist, and wrong colours, are refused on their field, and nothing is switched', async () => {
    for (const [body, field] of [
      [{ theme: 'moonlight' }, 'theme'],
      [{ theme: 'paper', theme_config: { paper: { primary_color: 'red' } } }, 'theme_config'],
      [{ theme: 'paper', theme_config: { paper: { navbar_style: 'sideways' } } }, 'theme_config'],
      [{ theme: 'paper', color_scheme: 'dusk' }, 'color_scheme'],
    ] as const) {
      const refused = await admin.put(THEME, body)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.data)).toContain(field)
    }
    expect(on()).toEqual(['theme-default'])
  })

  describe("the owner's CSS and HTML", () => {
    const CODE = '/answer/admin/api/siteinfo/custom-css-html'
    const color = (page: Page) => page.evaluate(() => getComputedStyle(document.querySelector('main') as Element).outlineStyle)

    it('are for admins to write and to preview', async () => {
      const code = { custom_head: '', custom_css: '', custom_header: '', custom_footer: '', custom_sidebar: '' }
      for (const person of [site.visitor(), await site.member(), await site.moderator()]) {
        expect([401, 403]).toContain((await person.put(CODE, code)).status)
        expect([401, 403]).toContain((await person.post(`${CODE}/preview`, code)).status)
      }
      expect((await admin.post(`${CODE}/preview`, { custom_css: 7 })).status).toBe(400)
    })

    it('stand in every page, without anything that runs; the admin area and the safe view are out of their reach', async () => {
      const page = await open('/admin/css-html', admin)
      await page.getByRole('textbox', { name: 'CSS', exact: true }).fill('main { outline: 3px dotted red }')
      await page
        .getByRole('textbox', { name: 'HTML under the header' })
        .fill('<p class="hello" onclick="steal()" style="color:red">Welcome to the lake</p><script>steal()</script>')
      await page
        .getByRole('textbox', { name: 'Facts in the head' })
        .fill("<meta content='a1b2' name='proof' />\n<script src=\"//evil.example\"></script>")
      await page.getByText('This will not be shown').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved. Pages show it').waitFor()
      expect(await color(page)).toBe('none')

      const text = await (await site.visitor().fetch('/')).text()
      expect(text).toContain('<p class="hello">Welcome to the lake</p>')
      expect(text).toContain('<meta name="proof" content="a1b2">')
      expect(text).not.toMatch(/steal|evil/)
      const reader = await open('/')
      expect(await color(reader)).toBe('dotted')
      await page.context().addCookies([{ name: sessionCookie.name, value: admin.token ?? '', url: site.url }])
      await page.goto('/?safe')
      await page.locator('.stoa-strip').waitFor()
      await page.locator('main h1').first().waitFor()
      expect(await color(page)).toBe('none')
      expect(await page.getByText('Welcome to the lake').count()).toBe(0)
      for (const tab of [page, reader]) await tab.context().close()
      expect((await admin.get(CODE)).data.custom_header).toContain('onclick')
    })

    it('are refused where brackets, quotes or comments do not close, with the line', async () => {
      for (const css of ['a {', 'a { color: red } }', 'a { content: "x }', 'a { } /* b', 'a { width: calc(1px }']) {
        const refused = await admin.put(CODE, { custom_css: `\n${css}` })
        expect([refused.status, refused.data[0].error_field, /2/.test(refused.data[0].error_msg)], css).toEqual([400, 'custom_css', true])
      }
      await admin.put(CODE, { custom_css: '', custom_header: '', custom_head: '' })
      expect(await (await site.visitor().fetch('/')).text()).not.toContain('data-own')
    })
  })
})
