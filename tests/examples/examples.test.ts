import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkManifest } from '@stoa/sdk/kernel'
import type { Manifest } from '@stoa/sdk/manifest'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { OutsideProject } from '../support/outside.ts'
import { outsideProject, ROOT } from '../support/outside.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const examples = readdirSync(join(ROOT, 'examples')).filter((name) => existsSync(join(ROOT, 'examples', name, 'plugin.json')))

let project: OutsideProject
const tarballs = new Map<string, string>()

beforeAll(async () => {
  project = await outsideProject(examples.map((name) => join(ROOT, 'examples', name)))
}, 300_000)
afterAll(() => project?.remove())

describe.each(examples)('the example %s, with the packed sdk and contracts and nothing else of Stoa', { timeout: 180_000 }, (name) => {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, 'examples', name, file), 'utf8'))

  it('is a package whose manifest is complete and whose README fits one screen', () => {
    const manifest = read('plugin.json') as Manifest
    expect(checkManifest(manifest)).toEqual({ ok: manifest })
    expect(read('package.json').version).toBe(manifest.version)
    const lines = readFileSync(join(ROOT, 'examples', name, 'README.md'), 'utf8')
      .trim()
      .split('\n')
    expect(lines.length).toBeLessThanOrEqual(40)
  })

  it('has the same texts in both languages', () => {
    const keys = (tree: object, prefix = ''): string[] =>
      Object.entries(tree).flatMap(([key, value]) =>
        typeof value === 'object' ? keys(value, `${prefix}${key}.`) : [`${prefix}${key.replace(/_(one|other)$/, '')}`],
      )
    const of = (language: string) => [...new Set(keys(read(`locales/${language}.json`)))].sort()
    expect(of('zh_CN')).toEqual(of('en_US'))
  })

  it('compiles, and is packed as a plugin that stands alone', async () => {
    if (existsSync(join(ROOT, 'examples', name, 'tsconfig.json'))) await project.run(name, 'npm', 'run', '--silent', 'check')
    const tarball = (await project.run(name, 'stoa-plugin', 'pack')).trim()
    tarballs.set(name, tarball)
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    expect(files).toEqual(expect.arrayContaining(['package/plugin.json', 'package/package.json', 'package/README.md']))
    expect(files.filter((file) => /node_modules|\.tsx?$/.test(file))).toEqual([])
    const packed = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }))
    expect(Object.keys(packed).filter((key) => /dependencies|scripts/i.test(key))).toEqual([])
  })

  if (existsSync(join(ROOT, 'examples', name, 'tests')))
    it('passes its own tests', async () => {
      await project.run(name, 'npm', 'test', '--silent')
    })
})

it('says what is wrong with a project', async () => {
  await expect(project.run('.', 'stoa-plugin', 'build')).rejects.toThrow('plugin.json cannot be read')
  await expect(project.run('.', 'stoa-plugin', 'fly')).rejects.toThrow('"fly" is no command')
  await expect(project.run('.', 'stoa-plugin', 'new', 'Night')).rejects.toThrow('at most 50 lower-case letters')
  expect((await project.run('.', 'stoa-plugin', 'new', 'night-trains')).trim()).toBe(join(project.folder, 'night-trains'))
  await expect(project.run('.', 'stoa-plugin', 'new', 'night-trains')).rejects.toThrow('is taken')
  const folder = join(project.folder, 'night-trains')
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ ...manifest, version: '0.2.0' }))
  await expect(project.run('night-trains', 'stoa-plugin', 'pack')).rejects.toThrow('version 0.1.0 and plugin.json 0.2.0')
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ ...manifest, sdk: '^9.0.0' }))
  await expect(project.run('night-trains', 'stoa-plugin', 'build')).rejects.toThrow('"sdk" asks for ^9.0.0')
})

it('says what it can do, also to who asks for help', async () => {
  expect(await project.run('.', 'stoa-plugin', 'pack', '--help')).toMatch(/stoa-plugin new[\s\S]*stoa-plugin contract/)
})

it('publishes a contract that a project elsewhere works with, and names it where it is used', async () => {
  const tarball = (await project.run('meetups', 'stoa-plugin', 'contract', '--out', '..')).trim()
  expect(tarball).toMatch(/stoa-example-meetups-contract-1\.0\.0\.tgz$/)
  await project.run('.', 'npm', 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund')
  await project.run('.', 'stoa-plugin', 'new', 'attendance')
  const folder = join(project.folder, 'attendance')
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  facts.devDependencies['stoa-example-meetups-contract'] = '^1.0.0'
  writeFileSync(join(folder, 'package.json'), JSON.stringify(facts))
  const code = `import { valueIn } from '@stoa/sdk'
import type { Meetup } from 'stoa-example-meetups-contract/api'
import { meetup } from 'stoa-example-meetups-contract/api'

export const cityOf = (extensions: Record<string, unknown>): Meetup['city'] => valueIn(meetup, extensions)?.city ?? ''
`
  writeFileSync(join(folder, 'server', 'city.ts'), code)
  await expect(project.run('attendance', 'stoa-plugin', 'check')).rejects.toThrow(
    '"stoa-plugin check --fix" adds "meetups": "^1.0.0" to "wants"',
  )
  await project.run('attendance', 'stoa-plugin', 'check', '--fix')
  expect(JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')).wants).toEqual({ meetups: '^1.0.0' })
  writeFileSync(join(folder, 'server', 'city.ts'), code.replace('?.city', '?.town'))
  await expect(project.run('attendance', 'stoa-plugin', 'check')).rejects.toThrow("'town' does not exist")
  writeFileSync(join(folder, 'server', 'city.ts'), code)
})

it('packs no sources by mistake', async () => {
  await expect(project.run('theme-ink', 'npm', 'pack')).rejects.toThrow('npx stoa-plugin pack')
})

describe('in a running site', { timeout: 240_000 }, () => {
  let site: Site
  let admin: TestPerson
  let member: TestPerson
  let browser: Browser
  let context: BrowserContext
  let tab: Page

  beforeAll(async () => {
    site = await startSite({ rateLimits: false })
    admin = await site.admin()
    member = await site.member('ana')
    browser = await launchBrowser()
    context = await browser.newContext({ locale: 'en-US' })
    await context.addInitScript((value) => localStorage.setItem('stoa:token', JSON.stringify({ v: value, until: null })), member.token)
    tab = await context.newPage()
    tab.setDefaultTimeout(60_000)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  /** As an owner does who puts a packed plugin into the data directory. */
  const install = (name: string): void => cpSync(tarballs.get(name) as string, join(site.dataDir, 'plugins', `${name}.tgz`))
  const listed = async (name: string) =>
    (await admin.get<{ slug_name: string; enabled: boolean }[]>(`${ADMIN}/plugins`)).data.find((row) => row.slug_name === name)

  /** Switches as the admin page does, and confirms what goes along. */
  async function put(name: string, enabled: boolean): Promise<void> {
    const body = { plugin_slug_name: name, enabled }
    let reply = await admin.put(`${ADMIN}/plugin/status`, body)
    const epoch = (JSON.parse(reply.text) as { data: { epoch?: number } | null }).data?.epoch
    if (reply.status === 400 && epoch !== undefined) reply = await admin.put(`${ADMIN}/plugin/status`, { ...body, confirm: epoch })
    expect(reply.status, reply.text).toBe(200)
  }

  /** Installed and listed off; on with `seen`, off again with `gone`; nobody reloads the tab in between. */
  async function shows(name: string, seen: () => Promise<void>, gone: () => Promise<void>, rounds = 2): Promise<void> {
    expect(await listed(name)).toBeUndefined()
    install(name)
    await expect.poll(() => listed(name), { timeout: 30_000 }).toMatchObject({ enabled: false })
    await gone()
    for (let round = 0; round < rounds; round++) {
      await put(name, true)
      expect(await listed(name)).toMatchObject({ enabled: true })
      await seen()
      await put(name, false)
      expect(await listed(name)).toMatchObject({ enabled: false })
      await gone()
    }
    expect(site.errors).toEqual([])
  }

  const post = (title: string, content = 'We walked along the old ramparts until it was dark.') =>
    admin.post<{ id: string; title: string }>(`${API}/experience`, {
      title,
      content,
      tags: [{ slug_name: 'travel', display_name: 'travel', original_text: '' }],
    })

  it('a plugin that is being written follows its edits on the site', async () => {
    const dev = project.start('attendance', 'stoa-plugin', 'dev', '--data', site.dataDir)
    try {
      await expect.poll(() => listed('attendance'), { timeout: 60_000 }).toMatchObject({ enabled: false })
      await put('attendance', true)
      const greeting = async () => (await site.visitor().get(`${API}/attendance`)).data
      expect(await greeting()).toEqual({ greeting: 'Welcome to Test.' })
      const texts = join(project.folder, 'attendance', 'locales', 'en_US.json')
      writeFileSync(texts, readFileSync(texts, 'utf8').replace('Welcome to', 'Back at'))
      await expect.poll(greeting, { timeout: 60_000 }).toEqual({ greeting: 'Back at Test.' })
    } finally {
      await dev.end()
    }
    await put('attendance', false)
  })

  it('guestbook is a page that members sign', async () => {
    await tab.goto(`${site.url}/experiences`)
    const link = tab.getByRole('link', { name: 'Guest book' })
    let signed = 0
    await shows(
      'guestbook',
      async () => {
        signed += 1
        await link.first().click()
        await tab.getByRole('heading', { name: 'Guest book' }).waitFor()
        await tab.getByLabel('Your line').fill(`I was here ${signed}`)
        await tab.getByRole('button', { name: 'Sign' }).click()
        await tab.getByText(`I was here ${signed}`, { exact: true }).filter({ visible: true }).first().waitFor()
        const html = (await site.visitor().get('/guestbook')).text
        // What was written before it went off is still there.
        for (let line = 1; line <= signed; line++) expect(html).toContain(`I was here ${line}`)
        expect(html).toContain('ana')
      },
      async () => {
        await link.first().waitFor({ state: 'detached' })
        expect((await site.visitor().get('/guestbook')).status).toBe(404)
        expect((await site.visitor().get(`${API}/guestbook`)).reason).toBe('base.route_not_found')
      },
    )
  })

  it('reading-time is a line below a post, in the HTML and in an open page', async () => {
    const { id } = (await post('How long does it take', 'word '.repeat(700))).data
    await tab.goto(`${site.url}/experiences/${id}`)
    const html = async (language = 'en_US') =>
      (await site.visitor().fetch(new URL(tab.url()).pathname, { headers: { cookie: `stoa_lang=${language}` } })).text()
    await shows(
      'reading-time',
      async () => {
        await tab.getByText('3 minutes to read').waitFor()
        expect(await html()).toContain('3 minutes to read')
        expect(await html('zh_CN')).toContain('阅读约需 3 分钟')
      },
      async () => {
        await tab.getByText('3 minutes to read').waitFor({ state: 'detached' })
        expect(await html()).not.toContain('3 minutes to read')
      },
    )
  })

  it('tidy-titles changes what is posted, and refuses what shouts', async () => {
    let n = 0
    await shows(
      'tidy-titles',
      async () => {
        n += 1
        expect((await post(`Is it over??? Number ${n}`)).data.title).toBe(`Is it over? Number ${n}`)
        const refused = await post(`READ THIS AT ONCE ${n}`)
        expect(refused.status).toBe(400)
        expect(refused.data).toEqual([{ error_field: 'title', error_msg: 'Please write the title in small letters.' }])
        const kept = await admin.put(`${ADMIN}/plugin/config`, {
          plugin_slug_name: 'tidy-titles',
          config_fields: { refuse_capitals: false },
        })
        expect(kept.status, kept.text).toBe(200)
        expect((await post(`WRITTEN IN CAPITALS ${n}`)).status).toBe(200)
        await admin.put(`${ADMIN}/plugin/config`, { plugin_slug_name: 'tidy-titles', config_fields: { refuse_capitals: true } })
      },
      async () => {
        n += 1
        expect((await post(`Is it over??? Number ${n}`)).data.title).toBe(`Is it over??? Number ${n}`)
        expect((await post(`READ THIS AT ONCE ${n}`)).status).toBe(200)
      },
    )
  })

  it('plain-search finds parts of words, which the built-in engine does not', async () => {
    const { id } = (await post('Walks around the old town')).data
    await site.idle()
    const find = async () =>
      (await site.visitor().get<{ list: { object: { id: string } }[] }>(`${API}/search`, { q: 'ampart' })).data.list.map(
        ({ object }) => object.id,
      )
    const engine = async () => (await site.visitor().get<{ name: string }>(`${API}/search/desc`)).data.name
    await shows(
      'plain-search',
      async () => {
        expect(await engine()).toBe('Plain search')
        // Handed over within a minute, or at once when search itself starts.
        await put('search', false)
        await put('search', true)
        await expect.poll(find, { timeout: 150_000 }).toContain(id)
        // What is written while it is off is handed over too.
        await put('plain-search', false)
        const meanwhile = await post('Another way around', 'The ramparts again, this time in the rain.')
        await site.idle()
        await put('plain-search', true)
        await put('search', false)
        await put('search', true)
        await expect.poll(find, { timeout: 150_000 }).toContain(meanwhile.data.id)
        await tab.goto(`${site.url}/search?q=ampart`)
        await tab.getByRole('link', { name: 'Walks around the old town' }).first().waitFor()
      },
      async () => {
        expect(await engine()).toBe('')
        expect(await find()).toEqual([])
      },
      1,
    )
  })

  it('meetups asks in the form of a post, shows it below the text, and tells every open page who comes', async () => {
    await post('Somebody has to make the tag first')
    const tags = [{ slug_name: 'travel', display_name: 'travel', original_text: '' }]
    const written = { title: 'Coffee by the river', content: 'Bring a cup, we bring the rest.', tags }
    const { id } = (await member.post<{ id: string }>(`${API}/experience`, written)).data
    const ben = await site.member('ben')
    const info = async () => (await site.visitor().get(`${API}/experience/info`, { id })).data
    await tab.goto(`${site.url}/posts/${id}/edit`)
    let comes = false
    let other: Page | undefined
    await shows(
      'meetups',
      async () => {
        if (!other) {
          await tab.getByLabel('City').fill('Lyon')
          await tab.getByLabel('Day').fill('2999-05-01')
          await tab.getByRole('button', { name: 'Save' }).click()
          other = await context.newPage()
          await other.goto(`${site.url}/experiences/${id}`)
        }
        for (const page of [tab, other]) await page.getByText('Lyon, 2999-05-01').waitFor()
        expect(await info()).toMatchObject({ extensions: { meetups: { city: 'Lyon', day: '2999-05-01' } } })
        expect((await site.visitor().get(new URL(tab.url()).pathname)).text).toContain('Lyon, 2999-05-01')
        comes = !comes
        const text = comes ? '1 person is coming' : '0 people are coming'
        // What is pushed may be missed by a tab that is not listening yet: it is said until it is heard.
        const heard = async () => {
          await ben.post(`${API}/meetups/guests`, { id, comes })
          return Promise.all([tab, other as Page].map((page) => page.getByText(text).isVisible()))
        }
        await expect.poll(heard, { timeout: 30_000, interval: 500 }).toEqual([true, true])
        await tab.getByRole('button', { name: 'More actions' }).click()
        await tab.getByRole('menuitem', { name: 'Calendar of meetups' }).waitFor()
        await tab.keyboard.press('Escape')
        expect((await site.visitor().fetch('/meetups/next')).headers.get('location')).toMatch(/coffee-by-the-river$/)
        expect(await (await site.visitor().fetch('/meetups/calendar.ics')).text()).toContain('LOCATION:Lyon')
      },
      async () => {
        for (const page of [tab, ...(other ? [other] : [])]) {
          await page.getByText('Lyon, 2999-05-01').waitFor({ state: 'detached' })
          await page.getByLabel('City').waitFor({ state: 'detached' })
        }
        expect((await info()).extensions).toEqual({})
        expect((await site.visitor().fetch('/meetups/next')).status).toBe(404)
        // An edit meanwhile takes nothing away; before the first, the tab has the form open and would be told of it.
        if (other)
          await member.put(`${API}/experience`, { ...written, id, content: `${written.content} It is ${new Date().toISOString()}.` })
      },
    )
    await other?.close()

    // Its versions hold it: changes are said in words, and an old version takes it back in the form.
    await put('meetups', true)
    await tab.goto(`${site.url}/posts/${id}/timeline`)
    await tab.getByRole('button', { name: 'Show changes' }).last().click()
    await tab.getByRole('group', { name: 'Meetups' }).getByText('Lyon, 2999-05-01').waitFor()
    await tab.goto(`${site.url}/posts/${id}/edit`)
    await tab.getByRole('button', { name: 'Older versions' }).click()
    const versions = tab.getByLabel('Version', { exact: true })
    const oldest = versions.locator('option').last()
    await expect.poll(() => oldest.getAttribute('value')).toBeTruthy()
    await versions.selectOption((await oldest.getAttribute('value')) as string)
    await tab.getByRole('group', { name: 'Meetups' }).getByText('Lyon, 2999-05-01').waitFor()
    await tab.getByRole('button', { name: 'Use this version' }).click()
    await expect.poll(() => tab.getByLabel('City').inputValue()).toBe('')
    await tab.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await info()).extensions).toEqual({})
    await put('meetups', false)
  })

  it('theme-ink dresses an open page, and takes the place of the theme before', async () => {
    await tab.goto(site.url)
    const font = () => tab.evaluate(() => getComputedStyle(document.body).fontFamily)
    await shows(
      'theme-ink',
      async () => {
        await expect.poll(font, { timeout: 30_000 }).toContain('Georgia')
        expect(await listed('theme-default')).toMatchObject({ enabled: false })
      },
      async () => {
        await expect.poll(font, { timeout: 30_000 }).not.toContain('Georgia')
      },
    )
  })
})
