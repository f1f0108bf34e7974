import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

/** Title of the page that refuses, in core's texts. */
const REFUSED = 'You do not have permission to access this page'
const CONFIG = '/answer/admin/api/plugin/config'

describe('the admin pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-admin-'))
  let site: Site
  let browser: Browser
  let admin: TestPerson

  beforeAll(async () => {
    mkdirSync(join(folder, 'greeter'))
    writeFileSync(
      join(folder, 'greeter', 'plugin.json'),
      JSON.stringify({
        slug: 'greeter',
        version: '1.0.0',
        type: 'route',
        sdk: '^1.0.0',
        settings: [
          { name: 'greeting', type: 'input', title: 'Greeting', required: true, value: 'Hello' },
          { name: 'loud', type: 'switch', title: 'Loud', value: false, ui_options: { label: 'Loud' } },
        ],
      }),
    )
    mkdirSync(join(folder, 'signpost'))
    writeFileSync(
      join(folder, 'signpost', 'plugin.json'),
      JSON.stringify({
        slug: 'signpost',
        version: '1.0.0',
        type: 'route',
        sdk: '^1.0.0',
        settings: [{ name: 'way', type: 'input', title: 'Way', value: 'North' }],
        contributes: { routes: [{ path: '/admin/signpost', module: 'web/page.js', layout: 'admin', guards: ['admin'] }] },
        build: { web: { entry: 'entry.js', modules: { 'web/page.js': { expose: './page', js: [], css: [] } }, integrity: {} } },
      }),
    )
    writeFileSync(
      join(folder, 'signpost', 'entry.js'),
      `export const init = () => {}\nexport const get = async () => () => ({ default: () => 'Its own page' })`,
    )
    ;[site, browser] = await Promise.all([startSite({ pluginDirs: [folder] }), launchBrowser()])
    admin = await site.admin()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true })
  })

  async function open(person: TestPerson | undefined, path: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', baseURL: site.url })
    if (person)
      await context.addInitScript((token) => localStorage.setItem('stoa:token', JSON.stringify({ v: token, until: null })), person.token)
    const page = await context.newPage()
    await page.goto(path)
    return page
  }

  it('are for admins: members and moderators are refused, visitors too', async () => {
    for (const person of [undefined, await site.member(), await site.moderator()]) {
      for (const path of ['/admin', '/admin/installed-plugins', '/admin/greeter']) {
        const page = await open(person, path)
        await page.getByRole('heading', { level: 1, name: REFUSED }).waitFor()
        await page.context().close()
      }
    }
  })

  it('say how many plugins run, and lead to their list', async () => {
    const page = await open(admin, '/admin')
    const running = site.plugins.list().filter(({ state }) => state === 'on').length
    await page.getByText(String(running), { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Manage plugins' }).click()
    await page.getByRole('heading', { level: 1, name: 'Installed plugins' }).waitFor()
    await page.context().close()
  })

  it('show in their list which one is open, also where the list is longer than the window', async () => {
    const page = await open(admin, '/admin')
    await page.setViewportSize({ width: 1280, height: 500 })
    await page.goto('/admin/maintenance')
    const list = page.locator('#navigation')
    const current = list.locator('[aria-current]')
    await current.waitFor()
    const isInSight = async () => {
      const [whole, one] = [await list.boundingBox(), await current.boundingBox()]
      return whole && one && one.y >= whole.y && one.y + one.height <= whole.y + whole.height
    }
    await expect.poll(isInSight).toBe(true)
    await page.context().close()
  })

  it('find a plugin by its name, and switch it', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    await page.getByRole('searchbox', { name: 'Filter plugins' }).fill('greeter')
    await page.locator('[data-plugin=votes]').waitFor({ state: 'detached' })
    await page.locator('[data-plugin=greeter]').getByRole('switch').click()
    await expect.poll(() => site.plugins.list().find(({ slug }) => slug === 'greeter')?.state).toBe('off')
    await page.locator('[data-plugin=greeter]').getByRole('switch').click()
    await expect.poll(() => site.plugins.list().find(({ slug }) => slug === 'greeter')?.state).toBe('on')
    await page.context().close()
  })

  it('lead to the settings of a plugin that has a page of its own under its name', async () => {
    await site.plugins.switch('signpost', true, site.plugins.epoch)
    const page = await open(admin, '/admin/signpost')
    await page.getByText('Its own page').waitFor()
    await page.goto('/admin/installed-plugins')
    await page.locator('[data-plugin=signpost]').getByRole('link', { name: 'Settings' }).click()
    expect(await page.getByLabel('Way').inputValue()).toBe('North')
    await page.context().close()
  })

  it('name what else would go off, and leave everything when nobody confirms', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    await page.locator('[data-plugin=experiences]').getByRole('switch').click()
    const dialog = page.getByRole('dialog', { name: /^Switch off \d+ plugins\?$/ })
    await dialog.getByText('go off too, because they need it').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(site.plugins.list().filter(({ slug, state }) => ['experiences', 'answers'].includes(slug) && state === 'on')).toHaveLength(2)
    await page.context().close()
  })

  it('offer to bring back exactly what went off along with a plugin', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    const turn = (slug: string) => page.locator(`[data-plugin=${slug}]`).getByRole('switch').click()
    const running = () => site.plugins.list().flatMap(({ slug, state }) => (state === 'on' ? [slug] : []))
    const before = running()
    await turn('experiences')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Switch off \d+ plugins$/ })
      .click()
    await expect.poll(running).not.toContain('experiences')
    const gone = before.filter((slug) => !running().includes(slug))
    expect(gone.length).toBeGreaterThan(3)
    await turn('experiences')
    await page.getByRole('dialog').getByText('went off together with', { exact: false }).waitFor()
    await page.getByRole('button', { name: `Switch on all ${gone.length}` }).click()
    await expect.poll(() => running().length).toBe(before.length)
    await page.context().close()
  })

  it('show of a plugin what it costs here, adds and needs, and who switched it', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    const item = page.locator('[data-plugin=experiences]')
    await item.getByRole('button', { name: 'Details' }).click()
    await item.getByRole('heading', { name: 'Cost on this site' }).waitFor()
    await item.getByText('switched on', { exact: false }).first().waitFor()
    await item.getByText('by admin@', { exact: false }).first().waitFor()
    await page.context().close()
  })

  it('save the set as a file, and show what another one changes before it is applied', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export the set' }).click()
    const set = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    const entry = set.plugins.find(({ slug_name }: { slug_name: string }) => slug_name === 'greeter')
    Object.assign(entry, { enabled: false, settings: { ...entry.settings, greeting: 'Welcome' } })
    const choose = async (text: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Apply a set' }).first().click()
      await (await chooser).setFiles({ name: 'set.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    }
    await choose('{')
    await page.getByText('This file is not a set of plugins', { exact: false }).waitFor()
    await choose(JSON.stringify(set))
    const plan = page.getByRole('dialog', { name: 'What this set changes' })
    await plan.getByText('→ Welcome', { exact: false }).waitFor()
    await plan.getByRole('button', { name: 'Apply the set' }).click()
    await expect.poll(() => site.plugins.list().find(({ slug }) => slug === 'greeter')?.state).toBe('off')
    await site.plugins.switch('greeter', true, site.plugins.epoch)
    await page.context().close()
  })

  it('ask once for the settings of a plugin, and anew when one comes back to them', async () => {
    const page = await open(admin, '/admin/installed-plugins')
    let asked = 0
    page.on('request', (request) => void (request.method() === 'GET' && new URL(request.url()).pathname === CONFIG && asked++))
    await page.locator('[data-plugin=greeter]').getByRole('link', { name: 'Settings' }).click()
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    await greeting.waitFor()
    expect(asked).toBe(1)
    await page.goBack()
    await page.locator('[data-plugin=greeter]').waitFor()
    await site.plugins.saveConfig('greeter', { greeting: 'Good morning', loud: false })
    await page.goForward()
    await expect.poll(() => greeting.inputValue()).toBe('Good morning')
    await page.context().close()
  })

  it('keep what is typed into a settings form that is refused, say why at the field, and save what is right', async () => {
    await admin.put(CONFIG, { plugin_slug_name: 'greeter', config_fields: { greeting: 'Hello', loud: false } })
    const page = await open(admin, '/admin/greeter')
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    await greeting.fill('')
    await page.getByRole('switch', { name: 'Loud' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => greeting.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('switch', { name: 'Loud' }).isChecked()).toBe(true)
    await greeting.fill('Good evening')
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = async () => (await admin.get(CONFIG, { plugin_slug_name: 'greeter' })).data.config_fields
    await expect
      .poll(async () => (await stored()).map(({ name, value }: { name: string; value: unknown }) => [name, value]))
      .toEqual([
        ['greeting', 'Good evening'],
        ['loud', true],
      ])
    await page.context().close()
  })

  it('say that a plugin has no settings instead of showing an empty form', async () => {
    const page = await open(admin, '/admin/votes')
    await page.getByRole('link', { name: 'Installed plugins' }).last().waitFor()
    expect(await page.getByRole('textbox').count()).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  it('are not found under a name that no plugin has, and can be tried again when they could not be read', async () => {
    const page = await open(admin, '/admin/nothing')
    await page.getByRole('heading', { level: 1, name: 'Sorry, this page does not exist' }).waitFor()
    await page.route(`**${CONFIG}*`, (route) => route.abort())
    await page.goto('/admin/greeter')
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute(`**${CONFIG}*`)
    await again.click()
    await page.getByLabel('Greeting').waitFor()
    await page.context().close()
  })

  describe('a page of settings', () => {
    it('says what was changed, stores it, and says who did and when', async () => {
      const page = await open(admin, '/admin/general')
      await page.getByText('Not changed yet.').waitFor()
      await page.getByLabel('Name').fill('A quiet place')
      await page.getByLabel('Look for new versions').uncheck()
      await page.getByText('2 changes').click()
      await page.getByRole('definition').filter({ hasText: 'A quiet place' }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.getByText(/^Last saved/).waitFor()
      await expect.poll(() => page.getByText('changes').count()).toBe(0)
      await page.getByRole('banner').getByText('A quiet place').waitFor()
      await expect.poll(() => page.title()).toContain('A quiet place')
      await page.reload()
      expect(await page.getByLabel('Name').inputValue()).toBe('A quiet place')
      await page.context().close()
    })

    it('leads to the first field that is refused, and keeps what was typed', async () => {
      const page = await open(admin, '/admin/general')
      await page.getByLabel('Contact email').fill('nobody')
      await page.getByLabel('Name').fill('x'.repeat(31))
      await page.getByRole('button', { name: 'Save' }).click()
      const name = page.getByLabel('Name')
      await expect.poll(() => name.evaluate((field) => document.activeElement === field)).toBe(true)
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByLabel('Contact email').inputValue()).toBe('nobody')
      await page.context().close()
    })

    it('of own CSS leads to what is refused, although the button is far below, and says who saved it', async () => {
      const page = await open(admin, '/admin/css-html')
      await page.getByText('Not changed yet.').waitFor()
      const css = page.getByRole('textbox', { name: 'CSS', exact: true })
      await css.fill('body { color: red')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => css.evaluate((field) => document.activeElement === field)).toBe(true)
      expect(await css.getAttribute('aria-invalid')).toBe('true')
      await css.fill('.own { color: red }')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/^Last saved .* · admin$/).waitFor()
      await page.context().close()
    })

    it('asks before it is left with changes', async () => {
      const page = await open(admin, '/admin/write')
      await page.getByLabel('Largest picture', { exact: true }).fill('7')
      await page.getByRole('link', { name: 'Installed plugins' }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByLabel('Largest picture', { exact: true }).inputValue()).toBe('7')
      await page.context().close()
    })

    it('takes only numbers where a number is asked for', async () => {
      const page = await open(admin, '/admin/write')
      await page.getByLabel('Largest picture', { exact: true }).fill('much')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Enter a whole number.').waitFor()
      await page.context().close()
    })

    it('stores a picture that was cut, and the own numbers of rights', async () => {
      const page = await open(admin, '/admin/branding')
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR4nGP4z8CAFTHgkBiUOgDxvD/BO5MWvgAAAABJRU5ErkJggg==',
        'base64',
      )
      await page.locator('input[type=file]').nth(2).setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: png })
      await page.getByRole('button', { name: 'Use this part' }).click()
      await page.getByText('1 change', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.goto('/admin/privileges')
      await page.getByText('Approve or reject edits of tags that others have suggested.').waitFor()
      await page.getByLabel('My own numbers').check()
      // Where the site stands, not at one for everything.
      expect(await page.getByLabel('Edit tags directly').inputValue()).toBe('10000')
      await page.getByLabel('Write a comment').fill('0')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Enter a whole number of at least 1.').waitFor()
      await page.getByLabel('Write a comment').fill('42')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.context().close()
    })

    it('of search engines keeps the rules of the owner while the site is private and shows its own', async () => {
      const info = (group: string) => `/answer/admin/api/siteinfo/${group}`
      const seo = async () => (await admin.get<{ permalink: number; robots: string }>(info('seo'))).data
      const { robots } = await seo()
      await admin.put(info('login'), { login_required: true })
      const shown = await seo()
      expect(shown.robots).not.toBe(robots)
      await admin.put(info('seo'), { ...shown, permalink: 4 })
      await admin.put(info('login'), { login_required: false })
      expect(await seo()).toEqual({ permalink: 4, robots })
    })

    it('is called in the log of staff as its reader calls it, and switches are on and off', async () => {
      await admin.speaking('zh_CN').put('/answer/admin/api/siteinfo/users', { allow_update_bio: false })
      const page = await open(admin, '/admin/audit')
      await page.getByRole('link', { name: 'Profiles' }).last().waitFor()
      await page.getByText('changed from “on” to “off”').first().waitFor()
      await admin.put('/answer/admin/api/siteinfo/users', { allow_update_bio: true })
      await page.context().close()
    })

    it('is put into the log of staff with the names that the page has for its settings', async () => {
      await admin.put('/answer/admin/api/siteinfo/login', { allow_email_domains: ['example.com'] })
      const { text } = await admin.get('/answer/admin/api/audit/page')
      expect(text).toContain('Only addresses of these domains')
      expect(text).toContain('Joining and logging in')
      await admin.put('/answer/admin/api/siteinfo/login', { allow_email_domains: [] })
    })

    it('is told in words: values as their page calls them, of a secret only that it changed', async () => {
      const put = async (path: string, body: object) => expect((await admin.put(`/answer/admin/api/${path}`, body)).status).toBe(200)
      const changes = async () => {
        const query = { action: 'admin.settings', page_size: 1 }
        const { data } = await admin.get<{ list: { changes: { field: string; from: string; to: string }[] }[] }>(
          '/answer/admin/api/audit/page',
          query,
        )
        return data.list[0]?.changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`)
      }
      const look = (primary_color: string, navbar_style: string) => ({
        theme: 'default',
        theme_config: { default: { primary_color, navbar_style } },
        color_scheme: 'dark',
      })
      await put('siteinfo/theme', look('#aa3300', 'light'))
      await put('siteinfo/theme', { ...look('#0033ff', 'colored'), color_scheme: '' })
      expect(await changes()).toEqual([
        'Header: Calm, like the page → In the primary color',
        'Primary color: #aa3300 → #0033ff',
        'Light or dark: Dark → As each device is set',
      ])
      await put('siteinfo/write', { authorized_image_extensions: ['png', 'gif'] })
      expect(await changes()).toEqual(['Kinds of pictures: jpg, jpeg, png, gif, webp → png, gif'])
      await put('siteinfo/legal', { external_content_display: 'ask_before_display', terms_of_service_original_text: 'Be {{kind}}.' })
      expect(await changes()).toEqual(['Pictures of other sites: Show them → Ask first', 'Terms of service:  → Be {{kind}}.'])
      for (const level of [2, 1]) await put('setting/privileges', { level })
      expect(await changes()).toEqual([expect.stringMatching(/^How careful: Level 2 .* → Level 1 /)])
      await put('setting/privileges', { level: 99, custom_privileges: [{ key: 'rank.experience.add', value: 7 }] })
      expect(await changes()).toEqual([expect.stringMatching(/^How careful: Level 1 .* → Custom$/), 'Post experiences: 1 → 7'])
      await put('setting/privileges', { level: 2 })
      const config_fields = { newcomers: 2, on_failure: 'publish', deadline: 3 }
      await put('plugin/config', { plugin_slug_name: 'review', config_fields })
      expect(await changes()).toEqual([
        'New members wait: 0 → 2',
        'When an automatic check gives no answer: Moderators decide about the text → The text is published',
      ])
      const smtp = { from_email: '', from_name: 'Owl', smtp_host: '', smtp_port: 465, encryption: '', smtp_username: '' }
      await put('setting/smtp', { ...smtp, smtp_password: 'never to be seen', smtp_authentication: true })
      expect(await changes()).toEqual(['Sender name:  → Owl', 'Password:  → '])
    })
  })
})
