import { afterEach, describe, expect, it } from 'vitest'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
afterEach(() => site.close())

async function running(toys: Record<string, Toy>, order = Object.keys(toys)): Promise<ToySite> {
  site = await startToySite(toys)
  for (const slug of order) expect(await site.switch(slug, true), slug).toMatchObject({ status: 200 })
  return site
}

const kitchen = (kind: string, options = '{}') => ({
  activate: `
    const season = ${kind}('kitchen.season', ${options})
    ctx.routes([get('/toy/cook', async () => (await ctx.run(season, 'soup')) ?? 'none')])`,
})
const cook = (kind: string, fn: string): Toy => ({ activate: `ctx.on(${kind}('kitchen.season'), ${fn})` })

describe('a hook', () => {
  it('waterfall hands each tap what the one before returned; silence is no opinion', async () => {
    await running({
      kitchen: kitchen('waterfall'),
      salt: cook('waterfall', `(dish) => dish + '+salt'`),
      silent: cook('waterfall', '() => undefined'),
      pepper: cook('waterfall', `(dish) => dish + '+pepper'`),
    })
    expect((await site.call('GET', '/toy/cook')).data.split('+').sort()).toEqual(['pepper', 'salt', 'soup'])
  })

  it('bail takes the first opinion', async () => {
    await running({ kitchen: kitchen('bail'), a: cook('bail', '() => undefined'), b: cook('bail', `() => 'no soup'`) })
    expect((await site.call('GET', '/toy/cook')).data).toBe('no soup')
  })

  it('goes on without a tap that throws, and names its plugin in the log', async () => {
    await running({
      kitchen: kitchen('waterfall'),
      clumsy: cook('waterfall', `() => { throw new Error('dropped') }`),
      salt: cook('waterfall', `(dish) => dish + '+salt'`),
    })
    expect((await site.call('GET', '/toy/cook')).data).toBe('soup+salt')
    expect(site.logged.join('\n')).toMatch(/error clumsy: .*dropped/)
  })

  it('that guards refuses when a tap throws', async () => {
    await running({
      kitchen: kitchen('series', `{ onFault: 'refuse' }`),
      guard: cook('series', `() => { throw defineErrors('error.guard', { shut: { status: 403, message: 'shut' } }).shut() }`),
    })
    expect(await site.call('GET', '/toy/cook')).toMatchObject({ status: 403, reason: 'error.guard.shut' })
  })

  it('forgets the taps of a plugin that goes off', async () => {
    await running({ kitchen: kitchen('waterfall'), salt: cook('waterfall', `(dish) => dish + '+salt'`) })
    await site.switch('salt', false)
    expect((await site.call('GET', '/toy/cook')).data).toBe('soup')
    await site.switch('salt', true)
    expect((await site.call('GET', '/toy/cook')).data).toBe('soup+salt')
  })
})

describe('a wanted service', () => {
  const asker: Toy = {
    manifest: { wants: { 'clock.tell': '^1.0.0' } },
    members: `wants: { clock: service('clock.tell') },`,
    activate: `ctx.routes([get('/toy/time', () => services.clock.current?.tell() ?? 'unknown')])`,
  }
  const clock: Toy = {
    manifest: { provides: { 'clock.tell': '1.0.0' } },
    members: `provides: { clock: service('clock.tell') },`,
    activate: `return { clock: { tell: () => 'noon' } }`,
  }

  it('is there while its provider is on', async () => {
    await running({ asker, clock }, ['asker'])
    expect((await site.call('GET', '/toy/time')).data).toBe('unknown')
    await site.switch('clock', true)
    expect((await site.call('GET', '/toy/time')).data).toBe('noon')
    await site.switch('clock', false)
    expect((await site.call('GET', '/toy/time')).data).toBe('unknown')
  })

  it('of which there may be many is a list', async () => {
    const counter: Toy = {
      manifest: { wants: { 'bell.many': '^1.0.0' } },
      members: `wants: { bells: services('bell.many') },`,
      activate: `ctx.routes([get('/toy/bells', () => services.bells.current.map((bell) => bell.slug + ':' + bell.service.name()))])`,
    }
    const bell: Toy = {
      manifest: { provides: { 'bell.many': '1.0.0' } },
      members: `provides: { bell: services('bell.many') },`,
      activate: `return { bell: { name: () => ctx.slug } }`,
    }
    await running({ counter, one: bell, two: bell })
    expect((await site.call('GET', '/toy/bells')).data).toEqual(['one:one', 'two:two'])
  })
})

describe('an event', () => {
  const teller: Toy = {
    activate: `const told = event('teller.told'); let n = 0
    ctx.routes([get('/toy/tell', async () => { await ctx.emit(told, { n: ++n }); return n })])`,
  }
  const listener: Toy = {
    activate: `globalThis.toyHeard ??= []
    ctx.on(event('teller.told'), ({ n }) => { globalThis.toyHeard.push(n) })`,
  }
  const heard = () => (globalThis as { toyHeard?: number[] }).toyHeard ?? []

  it('reaches its subscriber after commit, and what was told while it was off when it returns', async () => {
    heard().length = 0
    await running({ teller, listener })
    await site.call('GET', '/toy/tell')
    await site.kernel.idle()
    expect(heard()).toEqual([1])
    await site.switch('listener', false)
    await site.call('GET', '/toy/tell')
    await site.call('GET', '/toy/tell')
    await site.switch('listener', true)
    await expect.poll(heard).toEqual([1, 2, 3])
  })
})

describe('a plugin that was off', () => {
  const shared = () => globalThis as { toyReturns?: { since: number; events: string[] } }
  const returning: Toy = {
    activate: `const toy = globalThis.toyReturns
    ctx.onReturn((offSince) => { toy.since = offSince; toy.events.push('returned') })
    ctx.own(async () => { await new Promise((done) => setTimeout(done, 20)); toy.events.push('last word') })
    ctx.own(async () => { await new Promise((done) => setTimeout(done, 40)); toy.events.push('first word') })`,
  }

  it('is told once when it is back, and what it owns ends one after another before', async () => {
    const toy = { since: 0, events: [] as string[] }
    shared().toyReturns = toy
    const before = Math.floor(Date.now() / 1000)
    await running({ returning })
    await site.kernel.idle()
    expect(toy.events).toEqual([])
    await site.switch('returning', false)
    await expect.poll(() => toy.events).toEqual(['first word', 'last word'])
    await site.switch('returning', true)
    await expect.poll(() => toy.events).toHaveLength(3)
    expect(toy.since).toBeGreaterThanOrEqual(before)
    await site.restart()
    await site.kernel.idle()
    expect(toy.events).toEqual(['first word', 'last word', 'returned', 'first word', 'last word'])
  })
})

describe('a read function that may not be there', () => {
  const shelf: Toy = {
    reads: `const { read } = require('@stoa/sdk')
      module.exports.default = { functions: [[read('shelf.count'), async () => 7]] }`,
  }
  const asker: Toy = {
    activate: `const count = read('shelf.count')
    ctx.routes([get('/toy/asked', async () => [ctx.has(count), await ctx.read(count, {}, { otherwise: 'none' })]),
      route({ method: 'GET', path: '/toy/read', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('asker.read') }),
      get('/toy/strict', () => ctx.read(count, {}))])`,
    reads: `const { read } = require('@stoa/sdk')
      module.exports.default = { functions: [[read('asker.read'), async (ctx) => ctx.read(read('shelf.count'), {}, { otherwise: 'none' })]] }`,
  }

  it('is asked for with what to take otherwise, by both contexts', async () => {
    await running({ shelf, asker }, ['asker'])
    expect((await site.call('GET', '/toy/asked')).data).toEqual([false, 'none'])
    expect((await site.call('GET', '/toy/read')).data).toBe('none')
    expect((await site.call('GET', '/toy/strict')).status).toBe(500)
    await site.switch('shelf', true)
    expect((await site.call('GET', '/toy/asked')).data).toEqual([true, 7])
    expect((await site.call('GET', '/toy/read')).data).toBe(7)
    expect((await site.call('GET', '/toy/strict')).data).toBe(7)
  })
})

describe('a read function', () => {
  const owner: Toy = {
    activate: `ctx.routes([route({ method: 'GET', path: '/toy/list', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('owner.list') })])`,
    reads: `const { read, decorator, baseErrors } = require('@stoa/sdk')
      module.exports.default = { functions: [[read('owner.list'), async (ctx, params) => {
        if (params.missing) throw baseErrors.forbidden_error({ action: 'x' })
        const items = [{ n: 1 }, { n: 2 }]
        await ctx.decorate(decorator('owner.items'), items)
        return items
      }]] }`,
  }
  const painter: Toy = {
    reads: `const { decorator } = require('@stoa/sdk')
    module.exports.default = { decorators: [[decorator('owner.items'), async (ctx, items) => { for (const item of items) item.colour = 'red' }]] }`,
  }
  const broken: Toy = {
    reads: `const { decorator } = require('@stoa/sdk')
    module.exports.default = { decorators: [[decorator('owner.items'), async () => { throw new Error('spilt') }]] }`,
  }

  it('is composed with the decorators of active plugins; a failing one is left out', async () => {
    await running({ owner, painter, broken }, ['owner'])
    expect((await site.call('GET', '/toy/list')).data).toEqual([{ n: 1 }, { n: 2 }])
    await site.switch('painter', true)
    await site.switch('broken', true)
    expect((await site.call('GET', '/toy/list')).data).toEqual([
      { n: 1, colour: 'red' },
      { n: 2, colour: 'red' },
    ])
    await expect.poll(() => site.logged.join('\n')).toMatch(/error broken: .*spilt/)
  })

  it('keeps its coded errors on the way out', async () => {
    await running({ owner })
    expect(await site.call('GET', '/toy/list?missing=1')).toMatchObject({ status: 403, reason: 'base.forbidden_error' })
  })
})

describe('a settings form', () => {
  const form: Toy = {
    manifest: {
      settings: [
        { name: 'greeting', type: 'input', title: 'greeting', required: true, value: 'hi' },
        { name: 'key', type: 'input', title: 'key', secret: true },
      ],
    },
    activate: `ctx.settings.onSave((values) => (values.greeting === 'bad' ? { greeting: 'form.bad' } : undefined))
      ctx.routes([get('/toy/settings', () => ctx.settings.get())])`,
  }
  const save = (fields: object) => site.admin('PUT', '/answer/admin/api/plugin/config', { plugin_slug_name: 'form', config_fields: fields })

  it('starts with its defaults, takes what is right and refuses what is wrong by field', async () => {
    await running({ form })
    expect((await site.call('GET', '/toy/settings')).data).toEqual({ greeting: 'hi' })
    expect(await save({ greeting: 'bad' })).toMatchObject({ status: 400, data: [{ error_field: 'greeting' }] })
    expect(await save({ greeting: '' })).toMatchObject({ status: 400, data: [{ error_field: 'greeting' }] })
    expect((await save({ greeting: 'hello', key: 'abc' })).status).toBe(200)
    expect((await site.call('GET', '/toy/settings')).data).toEqual({ greeting: 'hello', key: 'abc' })
  })

  it('masks a secret and keeps it when the mask comes back', async () => {
    await running({ form })
    await save({ greeting: 'hello', key: 'abc' })
    const shown = (await site.admin('GET', '/answer/admin/api/plugin/config?plugin_slug_name=form')).data.config_fields
    const key = shown.find((field: { name: string }) => field.name === 'key').value
    expect(key).not.toContain('abc')
    await save({ greeting: 'hello', key })
    expect((await site.call('GET', '/toy/settings')).data.key).toBe('abc')
  })
})

describe('a call', () => {
  it('decides who may call before it looks at the body', async () => {
    await running({
      strict: {
        activate: `ctx.routes([route({ method: 'POST', path: '/toy/strict', access: 'active', summary: 'x',
      body: Type.Object({ word: Type.String({ minLength: 2 }) }), reply: Type.Unknown(), handle: ({ body }) => body.word })])`,
      },
    })
    expect((await site.call('POST', '/toy/strict', {})).status).toBe(401)
    expect(await site.admin('POST', '/toy/strict', {})).toMatchObject({
      status: 400,
      reason: 'base.request_format_error',
      data: [{ error_field: 'word' }],
    })
    expect((await site.admin('POST', '/toy/strict', { word: 'yes', other: 1 })).data).toBe('yes')
  })

  it('that throws something unknown says nothing of its inside', async () => {
    await running({ leaky: { activate: `ctx.routes([get('/toy/leak', () => { throw new Error('password=1234') })])` } })
    const reply = await site.call('GET', '/toy/leak')
    expect(reply).toMatchObject({ status: 500, reason: 'base.unknown', data: null })
    expect(JSON.stringify(reply)).not.toContain('1234')
  })
})
