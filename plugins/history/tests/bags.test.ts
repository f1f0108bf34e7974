import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lowerThresholds } from '../../accounts/testing/index.ts'
import { draft } from '../../experiences/testing/index.ts'
import { decide, happenings, revisionsOf, waitingFor } from '../testing/index.ts'

const api = '/answer/api/v1'

/** A plugin that keeps a value beside posts, as a package from outside does. @returns the folder that holds it */
function madePlugins(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-bags-'))
  const made = (slug: string, name: string, rules: string) => {
    mkdirSync(join(folder, slug, 'locales'), { recursive: true })
    writeFileSync(join(folder, slug, 'plugin.json'), JSON.stringify({ slug, version: '1.0.0', type: 'route', sdk: '^1.1.0' }))
    writeFileSync(join(folder, slug, 'locales', 'en_US.json'), JSON.stringify({ web: { plugin_name: name, plugin_description: name } }))
    writeFileSync(
      join(folder, slug, 'server.cjs'),
      `const { Type, bag, extension } = require('@stoa/sdk/server')
       const posts = bag('experiences.post')
       module.exports.default = { activate(_, ctx) { ctx.bags.extend(posts, extension(posts, '${slug}'), ${rules}) } }`,
    )
  }
  made(
    'places',
    'Place',
    `{ schema: Type.Object({ city: Type.String({ maxLength: 100 }), day: Type.Optional(Type.String()) }), text: ({ city, day }) => [city, day].filter(Boolean).join(', ') }`,
  )
  made('prices', 'Price', `{ schema: Type.Object({ amount: Type.Integer(), unit: Type.String() }) }`)
  return folder
}

describe('what plugins keep with a post', () => {
  const folder = madePlugins()
  let site: Site
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags', 'history', 'places', 'prices'], pluginDirs: [folder] })
    await lowerThresholds(site)
    const admin = await site.admin()
    const { data } = await admin.get<{ options: { privileges: { key: string; value: number }[] }[] }>(
      '/answer/admin/api/setting/privileges',
    )
    const custom_privileges = (data.options[0]?.privileges ?? []).map(({ key, value }) => ({
      key,
      value: /edit_without_review|audit/.test(key) ? 5000 : value,
    }))
    await admin.put('/answer/admin/api/setting/privileges', { level: 99, custom_privileges })
    ;[mona, ana, ben] = [await site.moderator('mona'), await site.member('ana'), await site.member('ben')]
  })
  afterAll(async () => {
    await site.close()
    rmSync(folder, { recursive: true })
  })

  const texts = new Map<string, ReturnType<typeof draft>>()
  const begin = async (extensions: Record<string, unknown>) => {
    const text = draft()
    const { data } = await ana.post(`${api}/experience`, { ...text, extensions })
    texts.set(data.id, text)
    return data.id as string
  }
  const edit = (person: TestPerson, id: string, extensions: unknown, part: object = {}) =>
    person.put(`${api}/experience`, { ...texts.get(id), ...part, id, extensions })
  const infoOf = async (id: string) => (await ana.get(`${api}/experience/info`, { id })).data
  const bags = async (id: string) => (await revisionsOf(ana, id)).map(({ content }) => content.extensions)

  it('is a version of its own when nothing else has changed, and each version holds it', async () => {
    const id = await begin({ places: { city: 'Lyon' } })
    expect((await edit(ana, id, { places: { city: 'Nantes', day: '2999-05-01' }, prices: { amount: 3, unit: '€' } })).status).toBe(200)
    expect((await edit(ana, id, { places: { city: 'Nantes', day: '2999-05-01' } })).status, 'changes nothing').toBe(200)
    expect(await bags(id)).toEqual([
      { places: { city: 'Nantes', day: '2999-05-01' }, prices: { amount: 3, unit: '€' } },
      { places: { city: 'Lyon' } },
    ])
    expect(await happenings(ana, id)).toEqual(['ana edited', 'ana asked'])
    const [newer, older] = await revisionsOf(ana, id)
    const query = { new_revision_id: newer?.id, old_revision_id: older?.id }
    const { data } = await ana.get(`${api}/activity/timeline/detail`, query)
    expect([data.old_revision.fields, data.new_revision.fields]).toEqual([
      [{ slug: 'places', label: 'Place', text: 'Lyon' }],
      [
        { slug: 'places', label: 'Place', text: 'Nantes, 2999-05-01' },
        { slug: 'prices', label: 'Price', text: 'amount: 3\nunit: €' },
      ],
    ])
  })

  it('stays in its versions while its plugin is off, unsaid, and comes back', async () => {
    const id = await begin({ places: { city: 'Lyon' } })
    await site.switch('places', false)
    expect(await bags(id)).toEqual([{}])
    expect((await edit(ana, id, {}, { content: 'Bring a cup and a friend.' })).status).toBe(200)
    await site.switch('places', true)
    expect(await bags(id)).toEqual([{ places: { city: 'Lyon' } }, { places: { city: 'Lyon' } }])
    expect(await happenings(ana, id)).toEqual(['ana edited', 'ana asked'])
  })

  it('is part of what the second of two people is told', async () => {
    const id = await begin({ places: { city: 'Lyon' } })
    expect((await edit(mona, id, { places: { city: 'Nantes' } })).status).toBe(200)
    const { status, data } = await edit(ana, id, { places: { city: 'Brest' } }, { base: 1 })
    expect([status, data.version, data.extensions, data.fields]).toEqual([
      409,
      2,
      { places: { city: 'Nantes' } },
      [{ slug: 'places', label: 'Place', text: 'Nantes' }],
    ])
  })

  it('is suggested with an edit, compared, and put together with what changed meanwhile', async () => {
    const id = await begin({ places: { city: 'Lyon' }, prices: { amount: 3, unit: '€' } })
    expect((await edit(ben, id, { places: { city: 'Lyon' } })).data.wait_for_review, 'changes nothing').toBe(false)
    const refused = await edit(ben, id, { places: { city: 'x'.repeat(101) } })
    expect([refused.status, refused.data[0].error_field]).toEqual([400, 'extensions.places.city'])
    expect((await edit(ben, id, { places: { city: 'Nantes' }, prices: null })).data.wait_for_review).toBe(true)
    const { item } = await waitingFor(mona)
    expect([item?.info.fields, item?.unreviewed_info.fields].map((fields) => fields?.map(({ text }) => text))).toEqual([
      ['Lyon', 'amount: 3\nunit: €'],
      ['Nantes'],
    ])
    expect((await edit(ana, id, {}, { title: 'Tea by the river' })).status).toBe(200)
    expect((await decide(mona, item?.unreviewed_info.id as string, 'approve')).status).toBe(200)
    expect(await infoOf(id)).toMatchObject({ title: 'Tea by the river', extensions: { places: { city: 'Nantes' } } })
    expect(Object.keys((await infoOf(id)).extensions)).toEqual(['places'])
    expect((await bags(id))[0]).toEqual({ places: { city: 'Nantes' } })
  })

  it('goes on waiting when both have changed it', async () => {
    const id = await begin({ places: { city: 'Lyon' } })
    await edit(ben, id, { places: { city: 'Nantes' } })
    await edit(ana, id, { places: { city: 'Brest' } })
    const revision = (await waitingFor(mona)).item?.unreviewed_info.id as string
    expect((await decide(mona, revision, 'approve')).reason).toBe('error.revision.conflict')
    expect((await infoOf(id)).extensions).toEqual({ places: { city: 'Brest' } })
    await decide(mona, revision, 'reject')
  })

  it('is gone from every version once the data of its plugin is deleted', async () => {
    const id = await begin({ places: { city: 'Lyon' }, prices: { amount: 3, unit: '€' } })
    await edit(ana, id, { prices: { amount: 4, unit: '€' } })
    await site.switch('prices', false)
    expect((await (await site.admin()).del('/answer/admin/api/plugin/data', { plugin_slug_name: 'prices' })).status).toBe(200)
    await site.idle()
    await site.switch('prices', true)
    expect(await bags(id)).toEqual([{ places: { city: 'Lyon' } }, { places: { city: 'Lyon' } }])
    await edit(ana, id, {}, { content: 'Bring two cups.' })
    expect(await happenings(ana, id)).toEqual(['ana edited', 'ana edited', 'ana asked'])
  })
})
