import { sdkVersion } from '@stoa/sdk/kernel'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveOf, packedToy } from '../../host-server/tests/pack.ts'
import type { Toy } from '../../host-server/tests/toys.ts'
import { toyFiles } from '../../host-server/tests/toys.ts'
import { launchBrowser } from '../support/browser.ts'
import { plugins, textsOf } from '../support/plugins.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const SLUG = 'beats'
/** Says its version to everybody. */
const saying = (version: string, manifest: object = {}): Toy => ({
  manifest: { version, ...manifest },
  activate: `ctx.routes([get('/toy/beats', () => ${JSON.stringify(version)})])`,
})
const packed = (version: string, manifest?: object) => packedToy(SLUG, saying(version, manifest))
const withEntry = (entry: Parameters<typeof archiveOf>[0][number]) =>
  archiveOf([...Object.entries(toyFiles(SLUG, saying('3.0.0'))).map(([name, content]) => ({ name: `package/${name}`, content })), entry])

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe.each([
  { language: 'zh_CN', scheme: 'light', width: 1280 },
  { language: 'en_US', scheme: 'dark', width: 390 },
] as const)('the owner and a package, in $language, $width wide', ({ language, scheme, width }) => {
  const texts = Object.assign({}, ...plugins.map(({ folder }) => textsOf(folder, language).server))
  const own = textsOf('plugins/admin', language).web
  const filled = (text: string | undefined, values: Record<string, string>) =>
    (text ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  const say = (key: string, values: Record<string, string> = {}) => filled(own[key], values)
  let site: Site
  let tab: Tab
  let page: Page

  beforeAll(async () => {
    site = await startSite({ language })
    const person = await site.admin()
    tab = await openTab(await openReader(browser, site, { person, language, scheme, width }))
    page = tab.page
    await visit(page, '/admin/installed-plugins')
  })
  afterAll(() => site?.close())

  const row = () => page.locator(`[data-plugin="${SLUG}"]`)
  const theSwitch = () => row().getByRole('switch')
  const runs = async () => (await site.visitor().get('/toy/beats')).data
  const file = (buffer: Buffer, name = `${SLUG}.tgz`) => ({ name, mimeType: 'application/gzip', buffer })

  async function choose(archive: Buffer, name?: string): Promise<void> {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: say('plugins.install') }).press('Enter')
    await (await chooser).setFiles(file(archive, name))
  }

  async function drop(archive: Buffer): Promise<void> {
    const dataTransfer = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], 'beats.tgz'))
      return transfer
    }, archive.toString('base64'))
    const zone = page.getByText(say('plugins.install_help'))
    await zone.dispatchEvent('dragover', { dataTransfer })
    await zone.dispatchEvent('drop', { dataTransfer })
  }

  /** A toast; it goes by itself, so each says something else. */
  const said = (text: string) => page.locator('[popover]').getByText(text).waitFor()

  it('uploads it, is taken to it in the list and switches it on', async () => {
    await page.getByRole('searchbox', { name: say('plugins.filter') }).fill('nothing like it')
    await choose(await packed('1.0.0'))
    await said(say('plugins.taken', { name: SLUG, version: '1.0.0' }))
    await row().getByText(say('plugins.state.off'), { exact: true }).waitFor()
    await expect.poll(() => theSwitch().evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await objections(page)).toEqual([])
    await page.keyboard.press('Space')
    await row().getByText(say('plugins.state.on'), { exact: true }).waitFor()
    expect(await runs()).toBe('1.0.0')
  })

  it('replaces it by a newer version while it runs', async () => {
    if (width > 1000) await drop(await packed('1.1.0'))
    else await choose(await packed('1.1.0'))
    await said(say('plugins.replaced', { name: SLUG, version: '1.1.0' }))
    expect(await runs()).toBe('1.1.0')
    expect(await theSwitch().isChecked()).toBe(true)
    expect(tab.complaints()).toEqual([])
  })

  it('is told in words what is wrong with one that is none, and what runs goes on', async () => {
    const cases: [archive: Buffer, key: string, values?: Record<string, string>][] = [
      [await packed('3.0.0', { sdk: '^99.0.0' }), 'error.package.wrong_sdk', { asked: '^99.0.0', here: sdkVersion }],
      [await withEntry({ name: 'package/../../x.cjs', content: '' }), 'error.package.unsafe_path', { name: 'package/../../x.cjs' }],
      [await withEntry({ name: 'package/a', type: 'symlink', linkname: '/etc/passwd' }), 'error.package.link', { name: 'package/a' }],
      [await archiveOf([{ name: 'package/readme', content: 'x' }]), 'error.package.no_manifest'],
      [Buffer.from('hello'), 'error.package.broken', { reason: 'incorrect header check' }],
      [
        await packedToy(SLUG, { manifest: { version: '3.0.0' }, activate: `throw new Error('no hands')` }),
        'error.plugin.start_failed',
        { slug: SLUG, reason: '' },
      ],
    ]
    for (const [archive, key, values = {}] of cases) {
      await choose(archive)
      const alert = page.getByRole('alert').filter({ hasText: say('plugins.install_refused') })
      await alert.getByText(filled(texts[key], values)).waitFor()
      await alert.getByText(say('plugins.install_unchanged')).waitFor()
      expect(await runs(), key).toBe('1.1.0')
    }
    expect(await untranslated(page)).toEqual([])
    expect(await objections(page)).toEqual([])
    expect(await tooWide(page)).toEqual([])
    expect(tab.complaints().filter((line) => !line.endsWith('/plugin/install 400'))).toEqual([])
  })

  it('goes back to the version before', async () => {
    await row()
      .getByRole('button', { name: say('plugins.roll_back', { version: '1.0.0' }) })
      .press('Enter')
    await said(say('plugins.rolled_back', { name: SLUG, version: '1.0.0' }))
    expect(await runs()).toBe('1.0.0')
  })

  it('removes it, and stays in the list', async () => {
    await row()
      .getByRole('button', { name: say('plugins.remove'), exact: true })
      .press('Enter')
    const dialog = page.getByRole('dialog', { name: say('plugins.remove_title', { name: SLUG }) })
    await dialog.getByText(say('plugins.remove_text')).waitFor()
    await dialog.getByRole('button', { name: say('plugins.remove'), exact: true }).press('Enter')
    await said(say('plugins.removed', { name: SLUG }))
    await row().waitFor({ state: 'detached' })
    expect((await site.visitor().get('/toy/beats')).status).toBe(404)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('UL')
    expect(tab.complaints()).toEqual([])
  })
})
