import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const LOG = '/answer/admin/api/audit/page'
const ACTIONS = '/answer/admin/api/audit/actions'

/** A plugin of somebody else whose staff do what they are told. */
function writeActor(folder: string): void {
  const files = {
    'plugin.json': JSON.stringify({
      slug: 'acme',
      version: '1.0.0',
      type: 'route',
      sdk: '^1.1.0',
      wants: { 'audit.log': '^1.0.0' },
      contributes: { 'audit.actions': [{ name: 'acme.painted', text: 'acme.painted' }, { name: 'acme.broken' }] },
    }),
    'server.cjs': `const { route, service, Type } = require('@stoa/sdk/server')
      module.exports.default = {
        wants: { log: service('audit.log') },
        activate: ({ log }, ctx) => {
          const handle = ({ body, person }) => ctx.db.write(async () => {
            await log.current.record({ actorId: person.id, ...body.act })
            if (body.fails) throw new Error('no')
          })
          const body = Type.Object({ act: Type.Unknown(), fails: Type.Optional(Type.Boolean()) })
          ctx.routes([route({ method: 'POST', path: '/answer/api/v1/acme', access: 'staff', summary: 'Acts.', body, reply: Type.Null(), handle })])
        },
      }`,
    'locales/en_US.json': JSON.stringify({
      server: { 'acme.painted': 'painted {{object}} anew', 'acme.colour': 'Colour', 'acme.red': 'red {{count}}' },
    }),
    'locales/zh_CN.json': JSON.stringify({
      server: { 'acme.painted': '重新粉刷了{{object}}', 'acme.colour': '颜色', 'acme.red': '红 {{count}}' },
    }),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, 'acme', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'acme', name), content)
  }
}

interface Entry {
  id: number
  actor: { username: string; display_name: string }
  phrase: string
  object: { label: string }
  note: string
  changes: { field: string; from: string; to: string }[]
}

describe('the staff log', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson
  const folder = mkdtempSync(join(tmpdir(), 'stoa-audit-'))
  const bridge = { kind: 'bridge', id: '1', label: 'The {{old}} bridge', path: '/bridges/1' }
  const changes = [
    { field: 'acme.colour', from: null, to: { text: 'acme.red', params: { count: 3 } } },
    { field: 'Height', from: 3, to: true },
  ]

  beforeAll(async () => {
    writeActor(folder)
    site = await startSite({ pluginDirs: [folder], plugins: ['audit', 'accounts', 'acme', 'locale-en-us', 'locale-zh-cn'] })
    admin = await site.admin()
    mona = await site.moderator('mona')
  })
  afterAll(async () => {
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const act = (person: TestPerson, given: object, fails = false) => person.post('/answer/api/v1/acme', { act: given, fails })
  const log = async (query: Record<string, string | number> = {}, language = 'en_US') =>
    (await admin.speaking(language).get<{ count: number; list: Entry[] }>(LOG, query)).data

  it('has what was done, to what, why and what was before, and nothing of what was rolled back', async () => {
    expect((await act(mona, { action: 'acme.painted', object: bridge, note: ' It was grey. ', changes })).status).toBe(200)
    expect((await act(mona, { action: 'acme.painted', object: bridge }, true)).status).toBe(500)
    site.errors.length = 0
    expect(await log({ object_kind: 'bridge' })).toMatchObject({
      count: 1,
      list: [
        {
          actor: { username: 'mona' },
          phrase: 'painted {{object}} anew',
          object: bridge,
          note: 'It was grey.',
          changes: [
            { field: 'Colour', from: '', to: 'red 3' },
            { field: 'Height', from: '3', to: 'yes' },
          ],
        },
      ],
    })
  })

  it('is filtered by person, action, object, words and time, and takes what would be a pattern as it is', async () => {
    await act(admin, { action: 'acme.painted', object: { ...bridge, id: '2', label: '100% wall' } })
    await act(admin, { action: 'acme.unheard', note: 'Nobody knows' })
    const now = Math.floor(Date.now() / 1000) + 60
    const counts = async (queries: Record<string, string | number>[]) => Promise.all(queries.map(async (query) => (await log(query)).count))
    expect(await counts([{ actor: 'mona' }, { actor: 'admin', query: 'wall' }, { actor: 'nobody' }])).toEqual([1, 1, 0])
    expect(await counts([{ action: 'acme.painted' }, { object_kind: 'bridge', object_id: '2' }, { object_kind: 'bridge' }])).toEqual([
      2, 1, 2,
    ])
    expect(
      await counts([{ query: 'GREY' }, { query: '0% w' }, { query: '_' }, { since: now }, { until: now, object_kind: 'bridge' }]),
    ).toEqual([1, 1, 0, 0, 2])
    expect((await log({ page_size: 1, page: 2 })).list).toHaveLength(1)
    expect((await log({ action: 'acme.unheard' })).list).toMatchObject([{ phrase: 'changed {{object}}', object: { label: '' } }])
    expect((await admin.get<{ name: string; label: string }[]>(ACTIONS)).data.filter(({ name }) => name.startsWith('acme'))).toEqual([
      { name: 'acme.painted', label: 'painted … anew' },
      { name: 'acme.unheard', label: 'changed …' },
    ])
  })

  it('can be read in each language when the plugin is gone', async () => {
    await site.switch('acme', false)
    expect((await log({ query: 'grey' })).list).toMatchObject([{ phrase: 'painted {{object}} anew', changes: [{ field: 'Colour' }, {}] }])
    expect((await log({ query: 'grey' }, 'zh_CN')).list).toMatchObject([
      { phrase: '重新粉刷了{{object}}', changes: [{ field: '颜色', to: '红 3' }, {}] },
    ])
    await site.switch('acme', true)
  })

  it('is for admins alone', async () => {
    for (const person of [site.visitor(), await site.member('ana'), await site.member('ina', 'inactive'), mona]) {
      expect([401, 403]).toContain((await person.get(LOG)).status)
      expect([401, 403]).toContain((await person.get(ACTIONS)).status)
    }
    for (const query of [{ since: 'x' }, { actor: 'a'.repeat(101) }, { until: -1 }] as Record<string, string | number>[])
      expect((await admin.get(LOG, query)).status).toBe(400)
  })

  it('keeps acts of somebody who is erased, by nobody, and nothing that tells of them', async () => {
    const ben = await site.member('ben')
    await act(mona, { action: 'acme.painted', object: { kind: 'person', id: String(ben.id), label: 'Ben' }, note: 'Ben lied', changes })
    const before = (await log()).count
    for (const person of [ben, mona]) await admin.put('/answer/admin/api/user/status', { user_id: String(person.id), status: 'deleted' })
    await site.idle()
    const { count, list } = await log({ query: '' })
    expect(count).toBeGreaterThanOrEqual(before)
    expect(JSON.stringify(list)).not.toMatch(/mona|Ben\b/)
  })

  it('lets go what is older than the owner keeps', async () => {
    const saved = (days: unknown) => admin.put('/answer/admin/api/plugin/config', { plugin_slug_name: 'audit', config_fields: { days } })
    expect((await saved(3)).status).toBe(400)
    expect((await saved(40)).status).toBe(200)
    /** Of an admin who signed in just now: sessions end meanwhile. */
    const kept = async (): Promise<number[]> => {
      const { data } = await site
        .visitor()
        .post('/answer/api/v1/user/login/email', { e_mail: 'admin@example.org', pass: 'correct horse 7' })
      const headers = { authorization: data.access_token }
      const replies = await Promise.all([LOG, ACTIONS].map(async (path) => (await site.visitor().fetch(path, { headers })).json()))
      return [replies[0].data.count, replies[1].data.length]
    }
    const [before = 0] = await kept()
    expect(before).toBeGreaterThan(0)
    site.advance(39 * 86_400)
    await site.idle()
    expect((await kept())[0]).toBe(before)
    site.advance(3 * 86_400)
    await expect.poll(kept).toEqual([0, 0])
  })
})
