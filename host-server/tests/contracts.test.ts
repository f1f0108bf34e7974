import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contracts } from '@stoa/sdk/manifest'
import { afterEach, describe, expect, it } from 'vitest'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
afterEach(() => site.close())

interface Row {
  slug_name: string
  state: string
  reason: string
  without: { contract: string; range: string; version: string }[]
}
const row = async (slug: string): Promise<Row> =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: Row) => entry.slug_name === slug)

/** Owner of a contract with a token of every kind that others join. */
const club = (version: string, tokens: Contracts['offers'][string]['tokens'] = everything): Toy => ({
  manifest: { provides: { club: version }, contracts: { offers: { club: { version, tokens } }, uses: {} } satisfies Contracts },
  members: `provides: { desk: service('club.desk') },`,
  activate: `globalThis.clubHeard = []
    const opening = series('club.opening'), opened = event('club.opened')
    ctx.routes([get('/toy/open', async () => {
      const taps = []
      await ctx.run(opening, taps)
      await ctx.emit(opened, { n: 1 })
      return { taps, badges: ctx.host.contributions('club.badges').map(({ slug }) => slug), members: await ctx.read(read('club.members'), {}) }
    })])
    return { desk: { greet: () => 'hello' } }`,
  reads: `const { read, decorator, filter } = require('@stoa/sdk')
    module.exports.default = { functions: [[read('club.members'), async (ctx) => {
      const items = [{ n: 1 }]
      await ctx.decorate(decorator('club.items'), items)
      return { items, filters: (await ctx.filters(filter('club.filter'), {})).length }
    }]] }`,
})
const everything = {
  service: ['desk'],
  read: ['members'],
  decorator: ['items'],
  filter: ['filter'],
  hook: ['opening'],
  event: ['opened'],
  slot: ['below'],
  point: ['badges'],
}

/** Takes part in all of it. */
const guest = (part: 'needs' | 'wants', range = '^1.0.0'): Toy => ({
  manifest: {
    [part]: { club: range },
    contributes: { 'club.badges': ['gold'], slots: [{ slot: 'club.below', module: 'web/below.tsx' }] },
    contracts: { offers: {}, uses: { club: { range, [part]: everything } } } satisfies Contracts,
  },
  members: `wants: { desk: service('club.desk') },`,
  activate: `const { read } = sdk
    ctx.on(series('club.opening'), (taps) => void taps.push(ctx.plugin.slug))
    ctx.on(event('club.opened'), () => void globalThis.clubHeard.push(ctx.plugin.slug))
    ctx.routes([
      get('/toy/desk', async () => services.desk.current?.greet() ?? 'nobody'),
      get('/toy/members', async () => ctx.read(read('club.members'), {}).then(() => 'read', (error) => error.message)),
      route({ method: 'GET', path: '/toy/seen', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('guest.seen') }),
    ])`,
  reads: `const { read, decorator, filter } = require('@stoa/sdk')
    const { sql } = require('kysely')
    module.exports.default = {
      functions: [[read('guest.seen'), async (ctx) => ({
        has: ctx.has(read('club.members')),
        called: await ctx.call(read('club.members'), {}).then(() => true, () => false),
      })]],
      decorators: [[decorator('club.items'), async (ctx, items) => { for (const item of items) item.painted = true }]],
      filters: [[filter('club.filter'), async () => sql\`select 1\`]],
    }`,
})

async function running(toys: Record<string, Toy>): Promise<void> {
  site = await startToySite(toys)
  for (const slug of Object.keys(toys)) expect(await site.switch(slug, true), slug).toMatchObject({ status: 200 })
}
const heard = () => (globalThis as { clubHeard?: string[] }).clubHeard
const says = async (path: string) => (await site.call('GET', path)).data

describe('a plugin that wants a contract', () => {
  it('takes part in all of it where the version fits', async () => {
    await running({ club: club('1.4.0'), guest: guest('wants') })
    expect(await says('/toy/open')).toEqual({
      taps: ['guest'],
      badges: ['guest'],
      members: { items: [{ n: 1, painted: true }], filters: 1 },
    })
    await expect.poll(heard).toEqual(['guest'])
    expect([await says('/toy/desk'), await says('/toy/members')]).toEqual(['hello', 'read'])
    expect(await says('/toy/seen')).toEqual({ has: true, called: true })
    expect(await row('guest')).toMatchObject({ state: 'on', without: [] })
  })

  it('of which another version is on is given and asked nothing of it, and the list says so', async () => {
    await running({ club: club('2.0.0'), guest: guest('wants') })
    expect(await says('/toy/open')).toEqual({ taps: [], badges: [], members: { items: [{ n: 1 }], filters: 0 } })
    await site.kernel.idle()
    expect(heard()).toEqual([])
    expect([await says('/toy/desk'), await says('/toy/members')]).toEqual(['nobody', expect.stringContaining('another version')])
    expect(await says('/toy/seen')).toEqual({ has: false, called: false })
    expect(await row('guest')).toMatchObject({ state: 'on', without: [{ contract: 'club', range: '^1.0.0', version: '2.0.0' }] })
  })

  it('gets it back, live, when the right version comes', async () => {
    await running({ club: club('2.0.0'), guest: guest('wants') })
    await site.switch('club', false)
    expect(await says('/toy/desk')).toBe('nobody')
    site.add('club', club('1.9.0'))
    await site.switch('club', true)
    expect([await says('/toy/desk'), (await says('/toy/open')).taps]).toEqual(['hello', ['guest']])
  })
})

describe('a plugin that needs a contract', () => {
  it.each([
    ['another version', club('2.0.0'), 'needs the service club.desk (^1.0.0); active plugins offer 2.0.0'],
    [
      'no read of the name',
      club('1.0.0', { ...everything, read: ['membres'] }),
      'club has 1.0.0 of that contract, without it. Did you mean club.membres?',
    ],
    ['no such slot', club('1.0.0', { ...everything, slot: [] }), 'needs the slot club.below (^1.0.0)'],
    ['no hook', club('1.0.0', { ...everything, hook: ['closing'] }), 'needs the hook club.opening (^1.0.0)'],
  ])('is not started where there is %s', async (_, owner, reason) => {
    site = await startToySite({ club: owner, guest: guest('needs') })
    await site.switch('club', true)
    expect((await site.switch('guest', true)).status).toBe(400)
    expect((await row('guest')).reason.toLowerCase()).toContain(reason.toLowerCase())
    expect(site.kernel.view().plugins.map(({ manifest }) => manifest.slug)).not.toContain('guest')
  })

  it('is switched on with it, and off with it', async () => {
    site = await startToySite({ club: club('1.0.0'), guest: guest('needs') })
    const refusal = await site.switch('guest', true)
    expect(refusal).toMatchObject({ status: 400, data: { also_on: ['club'] } })
    expect(await site.switch('guest', true, refusal.data.epoch)).toMatchObject({ status: 200 })
    expect((await site.switch('club', false)).data).toMatchObject({ also_off: ['guest'] })
  })

  it('and was built with sdk 1.0 is judged by services alone, whichever way the other was built', async () => {
    const old: Toy = {
      manifest: { needs: { 'club.desk': '^1.0.0' } },
      members: `needs: { desk: service('club.desk') },`,
      activate: `ctx.routes([get('/toy/old', () => services.desk.greet())])`,
    }
    await running({ club: club('1.2.0'), old })
    expect(await says('/toy/old')).toBe('hello')
  })
})

describe('code that takes what its manifest does not say', () => {
  it.each([
    ['needs', `needs: { desk: service('club.desk') },`, 'The code needs club.desk'],
    ['provides', `provides: { desk: service('club.desk') },`, 'The code provides club.desk'],
  ])('is refused: %s', async (_, members, reason) => {
    site = await startToySite({ sly: { manifest: { contracts: { offers: {}, uses: {} } }, members } })
    expect((await site.switch('sly', true)).status).toBe(400)
    expect((await row('sly')).reason).toContain(reason)
  })
})

describe('the plugins that come with the site', () => {
  it('are judged before any of them starts: without a read that others need, these stay off and say why', async () => {
    const bundled = mkdtempSync(join(tmpdir(), 'stoa-real-set-'))
    cpSync(join(import.meta.dirname, '../../build/plugins'), bundled, { recursive: true })
    const file = join(bundled, 'experiences/plugin.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { contracts: Contracts }
    const { tokens } = manifest.contracts.offers.experiences as Contracts['offers'][string]
    tokens.read = (tokens.read ?? []).filter((name) => name !== 'cards')
    writeFileSync(file, JSON.stringify(manifest))
    try {
      site = await startToySite({}, { pluginDirs: [bundled] })
      expect(await row('answers')).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(
          /^It needs “Experiences”, .*Needs the read experiences\.cards \(\^1\.\d+\.0\); experiences has 1\.\d+\.0 of that contract, without it/,
        ),
      })
      expect(await row('experiences')).toMatchObject({ state: 'on' })
    } finally {
      rmSync(bundled, { recursive: true })
    }
  })
})
