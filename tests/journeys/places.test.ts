import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildPlugins } from '@stoa/sdk/build'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kernelSlots } from '../../sdk/web/kernel-slots.ts'
import { launchBrowser } from '../support/browser.ts'
import { plugins } from '../support/plugins.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'
import { addressOf, everyPage } from './every-page.ts'
import { openReader, openTab, visit } from './tab.ts'

interface Place {
  kind: 'slot'
  id: string
  cardinality: 'one' | 'many'
}
const isPlace = (value: unknown): value is Place => (value as Place | null)?.kind === 'slot'

/** Places that any number of plugins fill, of the kernel and of every plugin that says what it has. */
async function everyPlace(): Promise<string[]> {
  const files = plugins.map(({ folder }) => join(folder, 'shared/api.ts')).filter((file) => existsSync(file))
  const modules: object[] = await Promise.all(files.map((file) => import(file)))
  const tables = [kernelSlots, ...modules.flatMap((module) => Object.values(module))].filter((value) => typeof value === 'object' && value)
  const found = tables.flatMap((table) => Object.values(table as object)).filter(isPlace)
  const ids = found.filter(({ cardinality, id }) => cardinality === 'many' && !ELSEWHERE.includes(id)).map(({ id }) => id)
  return [...new Set(ids)].sort()
}

/** Drawn before there is a site, where a proof is asked for that has no field, and where something waits for staff: the journeys of those fill them. */
const ELSEWHERE = ['install.siteFields', 'accounts.proof', 'review.queue']

/** Those that a document has none of: page, who sees it, places. */
const IN_THE_BROWSER: [path: string, who: 'admin' | 'member' | undefined, places: string[]][] = [
  ['/users/login', undefined, ['accounts.beforeForm', 'accounts.afterForm']],
  ['/users/settings/profile', 'member', ['accounts.settings', 'kernel.headerPerson']],
  [
    '/experiences/ask',
    'member',
    [
      'experiences.fieldsFirst',
      'experiences.afterTitle',
      'experiences.fieldsAfterTitle',
      'experiences.fieldsAfterContent',
      'experiences.fields',
      'kernel.editorTools',
      'kernel.completion',
    ],
  ],
  ['/admin', 'admin', ['admin.dashboard']],
  ['/admin/general', 'admin', ['kernel.settingsPage']],
  ['/admin/experiences', 'admin', ['experiences.adminFacts']],
  ['/admin/users/:user_id', 'admin', ['accounts.adminPerson']],
  ['/admin/installed-plugins', 'admin', ['admin.pluginFacts', 'admin.pluginActions']],
]

let site: Site
let browser: Browser
let story: Story
let places: string[]
const root = mkdtempSync(join(tmpdir(), 'stoa-places-'))

beforeAll(async () => {
  places = await everyPlace()
  const files: Record<string, string> = {
    'plugin.json': JSON.stringify({
      slug: 'filler',
      version: '1.0.0',
      type: 'route',
      sdk: '^1.0.0',
      wants: { accounts: '^1.0.0' },
      contributes: { slots: places.map((slot) => ({ slot, module: `web/${slot.replaceAll('.', '-')}.tsx` })) },
    }),
  }
  for (const slot of places)
    files[`web/${slot.replaceAll('.', '-')}.tsx`] =
      `export default (props) => <span hidden data-place="${slot}">{Object.keys(props).filter((key) => props[key] === undefined).join()}</span>`
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'filler', name)), { recursive: true })
    writeFileSync(join(root, 'filler', name), text)
  }
  const { failed } = await buildPlugins({ folders: [join(root, 'filler')], out: join(root, 'built'), mode: 'production' })
  expect(failed).toEqual([])
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN', pluginDirs: [join(root, 'built')] })])
  story = await tellStory(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  rmSync(root, { recursive: true, force: true })
})

it('every place that plugins may fill is drawn on some page', async () => {
  expect(places.length).toBeGreaterThan(20)
  const drawn = new Set<string>()
  const note = (html: string) => {
    for (const [, id] of html.matchAll(/data-place="([\w.-]+)"/g)) drawn.add(id as string)
  }
  for (const page of everyPage.filter(({ onServer, guards }) => onServer && guards.length === 0))
    note(await (await site.visitor().fetch(addressOf(page, story), { headers: { accept: 'text/html' } })).text())

  for (const [path, who, ids] of IN_THE_BROWSER) {
    const person = who && story[who]
    const tab = await openTab(await openReader(browser, site, person ? { person } : {}))
    await visit(tab.page, addressOf({ pattern: path, guards: [], onServer: false, slug: '' }, story))
    if (ids.includes('kernel.completion')) await tab.page.locator('main textarea').focus()
    for (const id of ids) {
      await tab.page.locator(`[data-place="${id}"]`).first().waitFor({ state: 'attached' })
      drawn.add(id)
    }
    await tab.page.context().close()
  }
  expect(places.filter((id) => !drawn.has(id))).toEqual([])
}, 240_000)
