import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dotsOf, noticesOf } from '../testing/index.ts'

/** A plugin whose things people are told of by a call, in one transaction that `fails` undoes. */
const manifest = {
  slug: 'crier',
  version: '1.0.0',
  type: 'route',
  sdk: '^1.1.0',
  wants: { 'notifications.notices': '^1.0.0' },
  contributes: {
    'notifications.kinds': [
      { name: 'crier.cried', text: 'cried', list: 'inbox' },
      { name: 'crier.each', text: 'cried', list: 'inbox', gathers: 'never' },
      { name: 'crier.malformed', text: 7, list: 'outbox' },
      { name: 'crier.award', text: 'You earned a badge', list: 'achievement', gathers: 'never' },
    ],
  },
}
const server = `const { route, service, Type } = require('@stoa/sdk/server')
module.exports.default = {
  wants: { notices: service('notifications.notices') },
  activate({ notices }, ctx) {
    ctx.routes([route({ method: 'POST', path: '/crier', access: 'open', summary: 'Cries', reply: Type.Unknown(), body: Type.Unknown(),
      handle: ({ body: { list, fails } }) => ctx.db.write(async () => {
        for (const notice of list) await notices.current.tell({ object: { kind: 'thing', n: 1 }, ...notice })
        if (fails) throw new Error('killed')
      }) })])
  },
}`
const reads = `const { decorating, decorator } = require('@stoa/sdk/server')
module.exports.default = { decorators: [decorating(decorator('notifications.objects'), async (ctx, items) => {
  for (const item of items) if (item.kind === 'thing')
    item.view = item.n === 9 ? null : { id: '1', type: 'thing', title: 'A thing', excerpt: '', path: '/', map: {}, authorId: 0, isShown: true }
})] }`

describe('telling', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stoa-crier-'))
    mkdirSync(join(folder, 'crier'))
    for (const [name, text] of Object.entries({ 'plugin.json': JSON.stringify(manifest), 'server.cjs': server, 'reads.cjs': reads }))
      writeFileSync(join(folder, 'crier', name), text)
    site = await startSite({ plugins: ['notifications', 'crier'], pluginDirs: [folder] })
    ana = await site.member('ana')
    ben = await site.member('ben')
  })
  afterAll(async () => {
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const cry = (list: object[], fails = false) => site.visitor().post('/crier', { list, fails })
  const told = async (person = ana) => (await noticesOf(site, person)).map(({ kind, people }) => `${kind} ${people}`)
  const clean = () => ana.put('/answer/api/v1/notification/read/state/all', { type: 'inbox' })

  it('the same twice, one after another or at the same time, is telling once', async () => {
    const notice = { kind: 'crier.each', to: [ana.id, ana.id], actorId: ben.id, key: 'a' }
    await Promise.all([1, 2, 3, 4].map(() => cry([notice])))
    await cry([notice, notice])
    expect(await told()).toEqual(['crier.each 1'])
    expect((await dotsOf(site, ana))[0]).toBe(1)
  })

  it('at the same time by several about one thing makes one row of them all', async () => {
    await clean()
    const people = await Promise.all(['cai', 'dora', 'eva'].map((name) => site.member(name)))
    const replies = await Promise.all(people.map(({ id }) => cry([{ kind: 'crier.cried', to: [ana.id], actorId: id, key: String(id) }])))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await told())[0]).toBe('crier.cried 3')
    expect((await dotsOf(site, ana))[0]).toBe(1)
  })

  it('is undone with its transaction, and can be done again', async () => {
    await clean()
    const before = await told()
    const notice = { kind: 'crier.each', to: [ana.id], actorId: ben.id, key: 'killed' }
    expect((await cry([notice], true)).status).toBe(500)
    expect(await told()).toEqual(before)
    expect((await dotsOf(site, ana))[0]).toBe(0)
    expect((await cry([notice])).status).toBe(200)
    expect(await told()).toEqual(['crier.each 1', ...before])
    site.errors.length = 0
  })

  it('passes over kinds that nobody has, and things that are gone; nobody hears of own acts', async () => {
    const before = await told()
    const notice = { to: [ana.id], actorId: ben.id, key: 'b' }
    await cry([
      { ...notice, kind: 'crier.nothing' },
      { ...notice, kind: 'crier.malformed' },
      { ...notice, kind: 'crier.each', object: { kind: 'thing', n: 9 } },
      { ...notice, kind: 'crier.each', actorId: ana.id },
      { ...notice, kind: 'crier.each', to: [0, -1, 987_654] },
    ])
    expect(await told()).toEqual(before)
  })

  it('refuses what is malformed, wholly', async () => {
    const before = await told()
    const good = { kind: 'crier.each', to: [ana.id], actorId: ben.id, key: 'c' }
    for (const bad of [
      { key: '' },
      { key: 'x'.repeat(201) },
      { to: Array.from({ length: 1001 }, (_, n) => n + 1) },
      { values: { x: 'x'.repeat(2001) } },
    ])
      expect((await cry([good, { ...good, ...bad }])).status, JSON.stringify(bad).slice(0, 40)).toBe(500)
    expect(await told()).toEqual(before)
    site.errors.length = 0
  })

  it('shows awards one after another, each until it is read', async () => {
    const award = (badgeId: string) => ({
      kind: 'crier.award',
      to: [ana.id],
      key: badgeId,
      award: { badgeId, name: `Badge ${badgeId}`, icon: 'award', level: 1 },
    })
    await cry([award('one'), award('two')])
    const shown = async () => (await ana.get('/answer/api/v1/notification/status')).data.badge_award
    const first = await shown()
    expect(first).toMatchObject({ badge_id: 'one', name: 'Badge one' })
    await ana.put('/answer/api/v1/notification/status', { type: 'achievement' })
    expect(await shown()).toEqual(first)
    await ana.put('/answer/api/v1/notification/read/state', { id: first.notification_id })
    expect(await shown()).toMatchObject({ badge_id: 'two' })
    await ana.put('/answer/api/v1/notification/read/state/all', { type: 'achievement' })
    expect(await shown()).toBeNull()
  })

  it('keeps the newest five hundred', async () => {
    await clean()
    const list = Array.from({ length: 520 }, (_, n) => ({ kind: 'crier.each', to: [ana.id], actorId: ben.id, key: `many ${n}` }))
    for (let from = 0; from < list.length; from += 65) expect((await cry(list.slice(from, from + 65))).status).toBe(200)
    const { data } = await ana.get('/answer/api/v1/notification/page', { type: 'inbox', page: 5, page_size: 100 })
    expect(data.count).toBe(500)
    expect(data.list).toHaveLength(100)
    expect((await dotsOf(site, ana))[0]).toBe(500)
    expect(site.errors).toEqual([])
  })
})
