import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
    await dialog.getByText('Also goes off:').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(site.plugins.list().filter(({ slug, state }) => ['experiences', 'answers'].includes(slug) && state === 'on')).toHaveLength(2)
    await page.context().close()
  })

  it('keep what is typed into a settings form that is refused, say why at the field, and save what is right', async () => {
    const page = await open(admin, '/admin/greeter')
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    await greeting.fill('')
    await page.getByRole('switch', { name: 'Loud' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => greeting.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('switch', { name: 'Loud' }).isChecked()).toBe(true)
    await greeting.fill('Good evening')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: false }).first().waitFor()
    const stored = (await admin.get(CONFIG, { plugin_slug_name: 'greeter' })).data.config_fields
    expect(stored.map(({ name, value }: { name: string; value: unknown }) => [name, value])).toEqual([
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
})
