import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const SET = '/answer/admin/api/plugin/set'
const needs = (...slugs: string[]) => Object.fromEntries(slugs.map((slug) => [`${slug}.it`, '^1.0.0']))
const offers = (slug: string) => ({
  manifest: { provides: { [`${slug}.it`]: '1.0.0' } },
  members: `provides: { it: service('${slug}.it') },`,
  activate: 'return { it: {} }',
})
const uses = (slug: string) => ({ manifest: { needs: needs(slug) }, members: `needs: { it: service('${slug}.it') },` })

let site: ToySite
beforeAll(async () => {
  site = await startToySite({
    posts: offers('posts'),
    replies: uses('posts'),
    stars: uses('posts'),
    keys: {
      activate: `
        ctx.on(sdk.kernelHooks.switching, (notes, { off }) =>
          off.includes('keys') ? [...notes, { text: 'Three people log in only by it.' }]
          : off.includes('safe') ? [...notes, { text: 'It is locked.', refuses: true }] : undefined)`,
    },
    safe: {},
    broken: {
      activate: `
        ctx.routes([get('/toy/broken', () => { throw new Error('dropped') }), get('/toy/fine', () => 'fine')])`,
    },
    greeter: {
      manifest: {
        settings: [
          { name: 'greeting', type: 'input', title: 'Greeting', required: true, value: 'Hello' },
          { name: 'code', type: 'input', title: 'Code', secret: true, value: '' },
        ],
      },
    },
  })
})
afterAll(() => site.close())

const row = async (slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)
const isOn = async (...slugs: string[]) => await Promise.all(slugs.map(async (slug) => (await row(slug)).enabled))
/** Switches, and agrees to what that means. */
async function agree(slug: string, enabled: boolean, more: object = {}): Promise<void> {
  const ask = (confirm?: number) =>
    site.admin('PUT', '/answer/admin/api/plugin/status', { plugin_slug_name: slug, enabled, ...more, ...(confirm && { confirm }) })
  const first = await ask()
  if (first.status !== 200) expect((await ask(first.data.epoch)).status).toBe(200)
}

describe('what goes off along with a plugin', () => {
  it('can come back with it in one epoch, and only that', async () => {
    for (const slug of ['posts', 'replies', 'stars']) await agree(slug, true)
    await agree('stars', false)
    await agree('posts', false)
    expect((await row('posts')).brings_back).toEqual(['replies'])
    const before = site.kernel.plugins.epoch
    await agree('posts', true, { with: ['replies'] })
    expect(site.kernel.plugins.epoch).toBe(before + 1)
    expect(await isOn('posts', 'replies', 'stars')).toEqual([true, true, false])
    expect((await row('posts')).brings_back).toEqual([])
  })

  it('is not offered any more when it was switched by itself since', async () => {
    await agree('posts', false)
    await agree('posts', true)
    await agree('replies', true)
    await agree('replies', false)
    await agree('posts', false)
    expect((await row('posts')).brings_back).toEqual([])
  })

  it('is told in the history with who switched what, where, and why', async () => {
    const { list } = await site.kernel.plugins.history({ slug: 'replies', offset: 0, limit: 100 })
    const switches = list.filter(({ deed }) => deed !== 'version').map(({ deed, cause, way, personId }) => [deed, cause, way, personId])
    expect(switches.reverse().slice(0, 3)).toEqual([
      ['on', '', 'page', 1],
      ['off', 'posts', 'page', 1],
      ['on', 'posts', 'page', 1],
    ])
    expect((await site.kernel.plugins.history({ offset: 0, limit: 2 })).list).toHaveLength(2)
  })
})

describe('before a switch', () => {
  it('a plugin may warn: nothing changes until somebody agrees', async () => {
    await agree('keys', true)
    const asked = await site.switch('keys', false)
    expect(asked).toMatchObject({ status: 400, reason: 'error.plugin.warned', data: { notes: ['Three people log in only by it.'] } })
    expect(await isOn('keys')).toEqual([true])
    await site.switch('keys', false, asked.data.epoch)
    expect(await isOn('keys')).toEqual([false])
  })

  it('a plugin may refuse, whoever agrees', async () => {
    await agree('keys', true)
    await agree('safe', true)
    const refused = await site.switch('safe', false, site.kernel.plugins.epoch)
    expect(refused).toMatchObject({ status: 400, reason: 'error.plugin.refused', data: { notes: ['It is locked.'] } })
    expect(await isOn('safe')).toEqual([true])
    await agree('keys', false)
    await agree('safe', false)
  })
})

describe('the cost of a plugin', () => {
  it('is counted on this site: requests, errors, time', async () => {
    await agree('broken', true)
    for (const path of ['/toy/fine', '/toy/fine', '/toy/broken']) await site.call('GET', path)
    await expect.poll(async () => (await row('broken')).load).toMatchObject({ requests: 3, failed: 1 })
    const { load, requests } = await row('broken')
    expect(requests).toBe(3)
    expect(load.ms).toBeGreaterThanOrEqual(load.slowest)
    await agree('broken', false)
    expect((await row('broken')).load.requests).toBe(3)
  })
})

describe('a set of plugins', () => {
  const plan = (set: unknown) => site.admin('POST', `${SET}/plan`, { set })
  const apply = (set: unknown, confirm: number, more: object = {}) => site.admin('PUT', SET, { set, confirm, ...more })
  type SetFile = { plugins: { slug_name: string; enabled: boolean; version: string; settings?: Record<string, unknown> }[] }
  const exported = async () => (await site.admin('GET', SET)).data as SetFile
  const changed = (set: SetFile, changes: Record<string, object>): SetFile => ({
    ...set,
    plugins: set.plugins.map((entry) => ({ ...entry, ...changes[entry.slug_name] })),
  })

  it('is a file with states, versions and settings, without secrets; applied at once it changes nothing', async () => {
    await site.admin('PUT', '/answer/admin/api/plugin/config', {
      plugin_slug_name: 'greeter',
      config_fields: { greeting: 'Good day', code: 'hush' },
    })
    const set = await exported()
    expect(JSON.stringify(set)).not.toContain('hush')
    expect(set.plugins.find(({ slug_name }) => slug_name === 'greeter')).toEqual({
      ...{ slug_name: 'greeter', version: '1.0.0', enabled: false },
      settings: { greeting: 'Good day' },
    })
    expect((await plan(set)).data).toMatchObject({ on: [], off: [], settings: [], missing: [], problems: [] })
  })

  it('is planned first, and applied wholly in one epoch', async () => {
    const set = changed(await exported(), {
      replies: { enabled: true },
      posts: { enabled: true },
      greeter: { settings: { greeting: 'Ahoy' }, version: '9.0.0' },
    })
    const { data } = await plan(set)
    expect(data).toMatchObject({
      on: [{ slug_name: 'posts' }, { slug_name: 'replies' }],
      also_on: [],
      settings: [{ slug_name: 'greeter', fields: [{ title: 'Greeting', from: 'Good day', to: 'Ahoy' }] }],
      other_versions: [{ slug_name: 'greeter', asked: '9.0.0', here: '1.0.0' }],
    })
    expect((await apply(set, data.epoch + 1)).reason).toBe('error.plugin.busy')
    expect((await apply(set, data.epoch)).status).toBe(200)
    expect(site.kernel.plugins.epoch).toBe(data.epoch + 1)
    expect(await isOn('posts', 'replies')).toEqual([true, true])
    const form = await site.admin('GET', '/answer/admin/api/plugin/config?plugin_slug_name=greeter')
    expect(form.data.config_fields.map(({ value }: { value: unknown }) => value)).toEqual(['Ahoy', '******'])
  })

  it('with plugins that are not here is applied only without them, when somebody agrees', async () => {
    const set = await exported()
    set.plugins.push({ slug_name: 'faraway', version: '1.0.0', enabled: true })
    const { data } = await plan(set)
    expect(data.missing).toEqual([{ slug_name: 'faraway', version: '1.0.0', enabled: true }])
    expect((await apply(set, data.epoch)).reason).toBe('error.plugin_set.missing')
    expect((await apply(set, data.epoch, { without_missing: true })).status).toBe(200)
  })

  it('that contradicts itself or a form is refused wholly, and the plan says why', async () => {
    const off = changed(await exported(), {
      posts: { enabled: false },
      replies: { enabled: true },
      greeter: { settings: { greeting: '' } },
    })
    const { data } = await plan(off)
    expect(data.problems).toHaveLength(1)
    expect(data.also_off).toEqual([{ slug_name: 'replies', name: 'replies' }])
    const on = changed(off, { stars: { enabled: true } })
    expect((await plan(on)).data.problems).toHaveLength(2)
    const epoch = site.kernel.plugins.epoch
    expect((await apply(on, epoch)).reason).toBe('error.plugin_set.contradicts')
    expect(site.kernel.plugins.epoch).toBe(epoch)
  })

  it('of a wrong file is refused with what is wrong and where', async () => {
    const set = await exported()
    const [first] = set.plugins
    const wrong: [unknown, string][] = [
      [null, 'not_a_set'],
      ['text', 'not_a_set'],
      [[], 'not_a_set'],
      [{ ...set, format: 'other' }, 'not_a_set'],
      [{ ...set, format_version: 7 }, 'other_format'],
      [{ ...set, plugins: [...set.plugins, first] }, 'repeated'],
      [{ ...set, plugins: [null] }, 'wrong_entry'],
      [{ ...set, plugins: [{ ...first, enabled: 'yes' }] }, 'wrong_entry'],
      [{ ...set, plugins: [{ ...first, slug_name: '__proto__' }] }, 'wrong_entry'],
      [{ ...set, plugins: [{ ...first, settings: [] }] }, 'wrong_entry'],
      [{ ...set, plugins: Array.from({ length: 1001 }, () => first) }, 'too_many'],
    ]
    for (const [file, reason] of wrong) {
      expect(await plan(file), JSON.stringify(file)?.slice(0, 60)).toMatchObject({ status: 400, reason: `error.plugin_set.${reason}` })
      expect((await apply(file, site.kernel.plugins.epoch)).status).toBe(400)
    }
    expect((await site.admin('POST', `${SET}/plan`, {})).status).toBe(400)
  })

  it('is for admins alone', async () => {
    for (const [method, path] of [
      ['GET', SET],
      ['PUT', SET],
      ['POST', `${SET}/plan`],
    ] as const)
      expect((await site.call(method, path, method === 'GET' ? undefined : { set: {}, confirm: 1 })).status).toBe(401)
  })
})

it('a plugin that cannot run is told of in the words of the reader', async () => {
  const reasonOf = async (slug: string, language: string) => {
    const response = await fetch(`${worded.kernel.url}/answer/admin/api/plugins`, {
      headers: { authorization: await worded.token(), 'accept-language': language },
    })
    const { data } = (await response.json()) as { data: { slug_name: string; reason: string }[] }
    return data.find(({ slug_name }) => slug_name === slug)?.reason
  }
  const worded = await startToySite(
    { lone: uses('nobody'), lazy: { activate: `throw new Error('no bed')` } },
    { pluginDirs: [join(import.meta.dirname, '../../build/plugins')], only: ['lone', 'lazy', 'locale-en-us', 'locale-zh-cn'] },
  )
  try {
    const refused = await worded.switch('lone', true)
    expect(refused.msg).toContain('It needs “nobody”')
    await worded.switch('lazy', true)
    expect(await reasonOf('lone', 'zh_CN')).toContain('它依赖“nobody”')
    expect(await reasonOf('lazy', 'zh_CN')).toMatch(/启动.*no bed/)
    expect(await reasonOf('lazy', 'en_US')).toBe('It failed while it was started: no bed')
  } finally {
    await worded.close()
  }
})
