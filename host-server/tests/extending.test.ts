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

  it.each([
    ['', `() => 7`, 'number instead of string'],
    [`{ shape: 'string' }`, `() => []`, 'list instead of string'],
    [`{ shape: 'string', onFault: 'refuse' }`, `async () => null`, 'null instead of string'],
  ])('keeps what it had where a tap hands on something else, and names that one plugin: %s %s', async (options, fn, reason) => {
    await running({
      kitchen: kitchen('waterfall', options),
      clumsy: cook('waterfall', fn),
      salt: cook('waterfall', `(dish) => dish.concat('+salt')`),
    })
    expect((await site.call('GET', '/toy/cook')).data).toBe('soup+salt')
    expect(site.logged.filter((line) => line.startsWith('error'))).toEqual([expect.stringMatching(`error clumsy: .*${reason}`)])
  })

  it('that guards refuses when a tap throws', async () => {
    await running({
      kitchen: kitchen('series', `{ onFault: 'refuse' }`),
      guard: cook('series', `() => { throw defineErrors('error.guard', { shut: { status: 403, message: 'shut' } }).shut() }`),
    })
    expect(await site.call('GET', '/toy/cook')).toMatchObject({ status: 403, reason: 'error.guard.shut' })
  })

  it('runs no tap that has nothing to do for the argument; one that cannot say so is skipped and named, or refuses where taps guard', async () => {
    const watching = (kind: string, fn: string, when: string): Toy => ({
      activate: `ctx.on(${kind}('kitchen.season'), ${fn}, { when: ${when} })`,
    })
    await running({
      kitchen: kitchen('waterfall'),
      salt: watching('waterfall', `(dish) => dish + '+salt'`, `(dish) => dish.startsWith('soup')`),
      sugar: watching('waterfall', `(dish) => dish + '+sugar'`, `(dish) => dish.startsWith('cake')`),
      clumsy: watching('waterfall', `(dish) => dish + '+glass'`, `() => { throw new Error('dropped') }`),
    })
    expect((await site.call('GET', '/toy/cook')).data).toBe('soup+salt')
    expect(site.logged.join('\n')).toMatch(/error clumsy: .*dropped/)
    await site.close()
    await running({
      kitchen: kitchen('series', `{ onFault: 'refuse' }`),
      guard: watching(
        'series',
        '() => undefined',
        `() => { throw defineErrors('error.guard', { shut: { status: 403, message: 'shut' } }).shut() }`,
      ),
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
      activate: `return { bell: { name: () => ctx.plugin.slug } }`,
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

it('a push is heard by the plugin itself, after the commit, and by no other', async () => {
  const crier: Toy = {
    activate: `const cry = { kind: 'live', id: 'crier.cry' }; const heard = []
    ctx.live.heard(cry, (topic, payload) => { heard.push(topic + payload.n) })
    ctx.routes([
      get('/toy/cry', async () => ctx.db.write(async () => { await ctx.live.push(cry, 'here', { n: 1 }); return [...heard] })),
      get('/toy/heard', () => heard),
    ])`,
  }
  const spy: Toy = { activate: `ctx.live.heard({ kind: 'live', id: 'crier.cry' }, () => {})` }
  site = await startToySite({ crier, spy })
  expect((await site.switch('crier', true)).status).toBe(200)
  expect((await site.call('GET', '/toy/cry')).data).toEqual([])
  expect((await site.call('GET', '/toy/heard')).data).toEqual(['here1'])
  expect(await site.switch('spy', true)).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
})

describe('a plugin that was off', () => {
  const shared = () => globalThis as { toyReturns?: { since: number; events: string[] } }
  const returning: Toy = {
    activate: `const toy = globalThis.toyReturns
    ctx.plugin.onReturn((offSince) => { toy.since = offSince; toy.events.push('returned') })
    ctx.plugin.own(async () => { await new Promise((done) => setTimeout(done, 20)); toy.events.push('last word') })
    ctx.plugin.own(async () => { await new Promise((done) => setTimeout(done, 40)); toy.events.push('first word') })`,
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
    ctx.routes([get('/toy/asked', async () => [ctx.read.has(count), await ctx.read(count, {}, { otherwise: 'none' })]),
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

  it('has decorators look up what they need side by side, and each fill in its turn; one that finds nothing is left out', async () => {
    const together = (body: string): Toy => ({
      reads: `const { decorator } = require('@stoa/sdk')
        const { decoratingTogether } = require('@stoa/sdk/server')
        const write = (items, name) => { for (const item of items) item.by = [...(item.by ?? []), name] }
        module.exports.default = { decorators: [decoratingTogether(decorator('owner.items'), async (ctx, items) => { ${body} })] }`,
    })
    const beta: Toy = {
      reads: `const { decorator } = require('@stoa/sdk')
        module.exports.default = { decorators: [[decorator('owner.items'), async (ctx, items) => { for (const item of items) item.by.push('beta') }]] }`,
    }
    await running({
      owner,
      // Would wait for ever, were it not for who comes last.
      alpha: together('await new Promise((go) => { globalThis.toyGo = go }); return () => write(items, "alpha")'),
      beta,
      broken: together('throw new Error("spilt")'),
      gamma: together('const before = items[0].by; globalThis.toyGo(); return () => write(items, before ?? "gamma")'),
    })
    const by = ['alpha', 'beta', 'gamma']
    expect((await site.call('GET', '/toy/list')).data).toEqual([
      { n: 1, by },
      { n: 2, by },
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
        { name: 'days', type: 'input', title: 'days', ui_options: { input_type: 'number' } },
      ],
    },
    activate: `ctx.plugin.settings.onSave((values) => (values.greeting === 'bad' ? { greeting: 'form.bad' } : undefined))
      ctx.routes([get('/toy/settings', () => ctx.plugin.settings.get())])`,
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

  it('tries what it names before a save and on demand; what does not work replaces nothing unless the admin insists', async () => {
    const tested: Toy = {
      ...form,
      activate: `ctx.plugin.settings.onSave(({ greeting }) => (greeting === 'bad' ? { greeting: 'form.bad' } : undefined))
        ctx.plugin.settings.onTest(async ({ greeting, key }) => (greeting === 'down' || key !== 'abc' ? { greeting: 'form.down' } : undefined))
        ctx.routes([get('/toy/settings', () => ctx.plugin.settings.get())])`,
    }
    await running({ form: tested })
    const stored = async () => (await site.call('GET', '/toy/settings')).data
    const CONFIG = '/answer/admin/api/plugin/config'
    const send = (method: 'PUT' | 'POST', config_fields: object, more = {}) =>
      site.admin(method, method === 'PUT' ? CONFIG : `${CONFIG}/test`, { plugin_slug_name: 'form', config_fields, ...more })
    expect((await site.admin('GET', `${CONFIG}?plugin_slug_name=form`)).data.has_test).toBe(true)
    expect((await send('PUT', { greeting: 'hello', key: 'abc' })).status).toBe(200)
    const refusal = { status: 400, reason: 'error.plugin.does_not_work', data: [{ error_field: 'greeting', error_msg: 'form.down' }] }
    for (const method of ['PUT', 'POST'] as const) expect(await send(method, { greeting: 'down' })).toMatchObject(refusal)
    // A test with the mask of a secret is one with the secret, and stores nothing.
    const shown = (await site.admin('GET', `${CONFIG}?plugin_slug_name=form`)).data.config_fields
    const { value: key } = shown.find((field: { name: string }) => field.name === 'key')
    expect((await send('POST', { greeting: 'other', key })).status).toBe(200)
    expect(await stored()).toMatchObject({ greeting: 'hello', key: 'abc' })
    // What is wrong in itself is stored by nobody.
    const wrong = await send('PUT', { greeting: 'bad' }, { insist: true })
    expect([wrong.status, wrong.reason]).toEqual([400, 'base.request_format_error'])
    expect((await send('PUT', { greeting: 'down' }, { insist: true })).status).toBe(200)
    expect((await stored()).greeting).toBe('down')
    expect((await site.call('POST', `${CONFIG}/test`, { plugin_slug_name: 'form', config_fields: {} })).status).toBe(401)
  })

  it('keeps numbers as numbers', async () => {
    await running({ form })
    const days = async () => (await site.call('GET', '/toy/settings')).data.days
    expect((await save({ days: ' 14 ' })).status).toBe(200)
    expect(await days()).toBe(14)
    expect(await save({ days: 'many' })).toMatchObject({ status: 400, data: [{ error_field: 'days' }] })
    expect((await save({ days: 2.5 })).status).toBe(200)
    expect(await days()).toBe(2.5)
    // As it was stored before.
    await site.kernel.data.settings.set('form', { days: '30' })
    expect(await days()).toBe(30)
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

  it('sends and keeps no stored secret where a field changes that it belongs to, also when the admin insists', async () => {
    const [greeting, key, ...others] = (form.manifest as { settings: object[] }).settings
    const server = { name: 'server', type: 'input', title: 'server', value: 'https://one.example' }
    await running({
      form: {
        manifest: { settings: [greeting, { ...key, belongs_to: ['server'] }, server, ...others] },
        activate: `ctx.plugin.settings.onTest(({ server, key }) => { globalThis.sentTo = [...(globalThis.sentTo ?? []), [server, key]] })
          ctx.routes([get('/toy/settings', () => ctx.plugin.settings.get()), get('/toy/sent', () => globalThis.sentTo ?? [])])`,
      },
    })
    const sent = async () => (await site.call('GET', '/toy/sent')).data
    expect((await save({ greeting: 'hello', key: 'abc', server: 'https://two.example' })).status).toBe(200)
    const before = await sent()
    const mask = '******'
    const moved = { greeting: 'hello', key: mask, server: 'https://elsewhere.example' }
    const CONFIG = '/answer/admin/api/plugin/config'
    for (const [method, path, config_fields] of [
      ['PUT', CONFIG, moved],
      ['POST', `${CONFIG}/test`, moved],
      ['PUT', CONFIG, { server: 'https://elsewhere.example' }],
      ['PUT', CONFIG, { ...moved, server: '' }],
    ] as const)
      expect(await site.admin(method, path, { plugin_slug_name: 'form', config_fields, insist: true })).toMatchObject({
        status: 400,
        reason: 'base.request_format_error',
        data: [{ error_field: 'key' }],
      })
    expect(await sent()).toEqual(before)
    expect((await save({ ...moved, server: ' https://two.example ', greeting: 'other' })).status).toBe(200)
    expect((await save({ ...moved, key: 'def' })).status).toBe(200)
    expect((await save({ ...moved, key: '', server: 'https://three.example' })).status).toBe(200)
    expect((await site.call('GET', '/toy/settings')).data).toMatchObject({ key: '', server: 'https://three.example' })
  })
})

describe('what members choose', () => {
  const API = '/answer/api/v1/user/plugin'
  const letters: Toy = {
    manifest: {
      memberSettings: [
        { name: 'address', type: 'input', title: 'address' },
        { name: 'key', type: 'input', title: 'key', secret: true },
        {
          name: 'often',
          type: 'select',
          title: 'often',
          value: 'daily',
          options: ['daily', 'weekly'].map((value) => ({ label: value, value })),
        },
        { name: 'days', type: 'checkbox', title: 'days', value: [], options: [{ label: 'Monday', value: 'mo' }] },
      ],
    },
    activate: `ctx.routes([get('/toy/letters', ({ query }) => ctx.plugin.memberSettings.of(Number(query.of)))])`,
  }
  const of = async (person: number) => (await site.call('GET', `/toy/letters?of=${person}`)).data
  const save = (config_fields: object, plugin_slug_name = 'letters') =>
    site.admin('PUT', `${API}/config`, { plugin_slug_name, config_fields })

  it('is kept for each of them, over the defaults, and refused by field', async () => {
    await running({ letters, plain: {} })
    expect((await site.admin('GET', `${API}/configs`)).data).toEqual([{ name: 'letters', slug_name: 'letters' }])
    expect(await of(1)).toEqual({ often: 'daily', days: [] })
    expect((await save({ address: 'https://example.org', key: 'abc', days: ['mo'], other: 1 })).status).toBe(200)
    expect(await of(1)).toEqual({ address: 'https://example.org', key: 'abc', often: 'daily', days: ['mo'] })
    expect(await of(2)).toEqual({ often: 'daily', days: [] })
    for (const [name, wrong] of Object.entries({ often: 'hourly', days: ['su'], address: 'x'.repeat(3000) }))
      expect(await save({ [name]: wrong }), name).toMatchObject({ status: 400, data: [{ error_field: name }] })
    expect(await save({ address: { deep: [] } })).toMatchObject({ status: 400, data: [{ error_field: 'address' }] })
    expect((await of(1)).address).toBe('https://example.org')
  })

  it('masks a secret, and keeps it when the mask comes back', async () => {
    await running({ letters })
    await save({ key: 'abc' })
    const { config_fields } = (await site.admin('GET', `${API}/config?plugin_slug_name=letters`)).data
    const { value } = config_fields.find((field: { name: string }) => field.name === 'key')
    expect(value).not.toContain('abc')
    await save({ key: value })
    expect((await of(1)).key).toBe('abc')
  })

  it('is not to be had of a plugin that is off, or has no such form', async () => {
    await running({ letters, plain: {} }, ['plain'])
    for (const slug of ['letters', 'plain', 'nobody', 'constructor']) {
      expect(await site.admin('GET', `${API}/config?plugin_slug_name=${slug}`), slug).toMatchObject({ status: 400 })
      expect(await save({ address: '' }, slug), slug).toMatchObject({ status: 400, reason: 'base.request_format_error' })
    }
    expect((await site.admin('GET', `${API}/configs`)).data).toEqual([])
    expect(await site.call('GET', `${API}/configs`)).toMatchObject({ status: 401 })
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

describe('a bag', () => {
  const shared = () => globalThis as { toyStripped?: string[] }
  const owner: Toy = {
    activate: `const { bag } = sdk
    const drawer = bag('owner.drawer'); let stored = {}
    ctx.bags.own(drawer, { strip: (slug) => { globalThis.toyStripped.push(slug); delete stored[slug] } })
    ctx.routes([
      route({ method: 'PUT', path: '/toy/drawer', access: 'admin', summary: 'x', body: Type.Object({ extensions: Type.Unknown() }), reply: Type.Unknown(),
        handle: async ({ body, person }) => { stored = await ctx.bags.check(drawer, body.extensions, stored, { title: 'desk' }, person); return stored } }),
      get('/toy/drawer', () => ({ shown: ctx.bags.shown(drawer, stored), text: ctx.bags.text(drawer, stored), lines: ctx.bags.lines(drawer, stored).map(({ label, text }) => label + ': ' + text).sort() })),
      route({ method: 'GET', path: '/toy/drawer/read', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('owner.read'), readParams: () => stored })])`,
    reads: `const { read, bag } = require('@stoa/sdk')
      module.exports.default = { functions: [[read('owner.read'), async (ctx, stored) => ctx.shown(bag('owner.drawer'), stored)]] }`,
  }
  const guest = (slug: string, rules: string): Toy => ({
    activate: `const { bag, extension } = sdk
    const drawer = bag('owner.drawer')
    ctx.bags.extend(drawer, extension(drawer, '${slug}'), ${rules})`,
  })
  const pens = guest(
    'pens',
    `{ schema: Type.Object({ colour: Type.String({ minLength: 1 }), count: Type.Optional(Type.Integer()) }),
      check: ({ colour }, { title }) => (colour === title ? { colour: 'pens.same' } : undefined), text: ({ colour }) => 'pen: ' + colour }`,
  )
  const notes = guest('notes', `{ schema: Type.String(), check: (text) => { if (text === 'fault') throw new Error('spilt') } }`)
  const put = (extensions: unknown) => site.admin('PUT', '/toy/drawer', { extensions })
  const shown = async () => (await site.call('GET', '/toy/drawer')).data
  const fields = (reply: { data: { error_field: string; error_msg: string }[] }) => reply.data.map(({ error_field }) => error_field).sort()

  it('stores what its plugins have checked, names what is wrong by member, and drops what nobody has', async () => {
    await running({ owner, pens, notes })
    expect((await put({ pens: { colour: 'blue' }, notes: 'mine', nobody: 1, constructor: 2 })).data).toEqual({
      pens: { colour: 'blue' },
      notes: 'mine',
    })
    expect(fields(await put({ pens: { colour: '', lid: 1 }, notes: 7 }))).toEqual([
      'extensions.notes',
      'extensions.pens.colour',
      'extensions.pens.lid',
    ])
    expect(fields(await put({ pens: { colour: 'desk' } }))).toEqual(['extensions.pens.colour'])
    expect(fields(await put({ notes: 'x'.repeat(9000) }))).toEqual(['extensions.notes'])
    expect(fields(await put({ notes: 'fault' }))).toEqual(['extensions.notes'])
    expect(site.logged.join('\n')).toMatch(/error notes: .*spilt/)
    for (const nothing of [null, [], 'text', 7, {}]) expect((await put(nothing)).status).toBe(200)
    expect(await shown()).toEqual({
      shown: { pens: { colour: 'blue' }, notes: 'mine' },
      text: ['pen: blue'],
      lines: ['notes: mine', 'pens: pen: blue'],
    })
    expect((await put({ notes: null })).data).toEqual({ pens: { colour: 'blue' } })
  })

  it('keeps what belongs to a plugin that is off, and shows it when it is back', async () => {
    await running({ owner, pens, notes })
    await put({ pens: { colour: 'blue' }, notes: 'mine' })
    await site.switch('pens', false)
    expect(await shown()).toEqual({ shown: { notes: 'mine' }, text: [], lines: ['notes: mine'] })
    expect((await site.call('GET', '/toy/drawer/read')).data).toEqual({ notes: 'mine' })
    expect((await put({ pens: { colour: 'red' }, notes: 'yours' })).data).toEqual({ pens: { colour: 'blue' }, notes: 'yours' })
    await site.switch('pens', true)
    expect((await shown()).shown).toEqual({ pens: { colour: 'blue' }, notes: 'yours' })
    expect((await site.call('GET', '/toy/drawer/read')).data).toEqual({ pens: { colour: 'blue' }, notes: 'yours' })
  })

  it('holds 32 KB together', async () => {
    const five = ['a', 'b', 'c', 'd', 'e']
    await running({ owner, ...Object.fromEntries(five.map((slug) => [slug, guest(slug, '{ schema: Type.String() }')])) })
    const full = Object.fromEntries(five.map((slug) => [slug, 'x'.repeat(8000)]))
    expect(fields(await put(full))).toEqual(['extensions'])
    expect((await put({ ...full, e: '' })).status).toBe(200)
  })

  it('is rid of a plugin whose data is deleted, also when its owner was off then', async () => {
    const stripped: string[] = []
    shared().toyStripped = stripped
    await running({ owner, pens, notes })
    for (const slug of ['pens', 'notes']) await site.switch(slug, false)
    await site.kernel.lifecycle().eraseData('pens')
    await site.kernel.idle()
    expect(stripped).toEqual(['pens'])
    await site.switch('owner', false)
    await site.kernel.lifecycle().eraseData('notes')
    await site.switch('owner', true)
    await expect.poll(() => stripped).toEqual(['pens', 'notes'])
  })

  it('takes a value only under the slug of the plugin it is of', async () => {
    site = await startToySite({ owner, thief: guest('pens', '{ schema: Type.String() }') })
    await site.switch('owner', true)
    expect((await site.switch('thief', true)).status).not.toBe(200)
    expect(site.logged.join('\n')).toMatch(/extension pens\.owner\.drawer is not of thief/)
  })
})

it('says in the log where in its source a plugin has failed', async () => {
  const stacks: string[] = []
  site = await startToySite(
    {},
    { log: (level, slug, _, details) => level === 'error' && stacks.push(`${slug} ${JSON.stringify(details)}`) },
  )
  site.add('maker', { activate: `ctx.routes([get('/toy/fall', () => { throw new Error('fell') })])` })
  // The fourth line of the bundle is the tenth of the source.
  const map = { version: 3, sources: ['maker/server/index.ts'], names: [], mappings: 'AAAA;AAAA;AAAA;AASA' }
  site.write('maker/server.cjs.map', JSON.stringify(map))
  expect(await site.switch('maker', true)).toMatchObject({ status: 200 })
  expect((await site.call('GET', '/toy/fall')).status).toBe(500)
  expect(stacks.join()).toMatch(/maker .*fell.*maker\/server\/index\.ts:10:1/)
})

describe('a stream', () => {
  const teller: Toy = {
    activate: `async function* lines() { for (let n = 1; n <= 3; n++) yield 'line ' + n + '\\n' }
      async function* broken() { yield 'one'; throw new Error('torn') }
      ctx.routes([
        route.stream('/toy/lines', { access: 'open', summary: 'x', type: 'text/plain', handle: () => lines() }),
        route.stream('/toy/torn', { access: 'open', summary: 'x', type: 'text/plain', handle: () => broken() }),
        route.stream('/toy/kept', { access: 'member', summary: 'x', type: 'text/plain', handle: () => lines() })])`,
  }

  it('is sent piece by piece to who may have it, and a torn one is the fault of its plugin', async () => {
    await running({ teller })
    const reply = await fetch(`${site.kernel.url}/toy/lines`)
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, 'text/plain', 'line 1\nline 2\nline 3\n'])
    const head = await fetch(`${site.kernel.url}/toy/lines`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await site.call('GET', '/toy/kept')).status).toBe(401)
    await expect(fetch(`${site.kernel.url}/toy/torn`).then((torn) => torn.text())).rejects.toThrow()
    await expect.poll(() => site.logged.join('\n')).toMatch(/error teller: .*torn/)
    await site.switch('teller', false)
    expect((await site.call('GET', '/toy/lines')).status).toBe(404)
    await site.switch('teller', true)
    expect(await (await fetch(`${site.kernel.url}/toy/lines`)).text()).toContain('line 3')
  })
})

describe('an address for browsers', () => {
  const guide: Toy = {
    manifest: { contributes: { places: { login: '/enter' } } },
    activate: `const to = (path, where) => route.document(path, { access: 'open', summary: 'x', handle: where })
      ctx.routes([
        to('/toy/away', () => ({ redirect: '/here?x=1#y' })),
        to('/toy/out', () => ({ redirect: new URL('https://elsewhere.example/z') })),
        to('/toy/trick', () => ({ redirect: '//elsewhere.example' })),
        to('/toy/odd', () => ({ redirect: '/%' })),
        to('/toy/file', () => ({ stream: 'a,b', type: 'text/csv', name: 'täble.csv' })),
        to('/toy/gone', () => { throw sdk.baseErrors.route_not_found({}) }),
        route.document('/toy/mine', { access: 'member', summary: 'x', handle: ({ person }) => ({ stream: 'person ' + person.id, type: 'text/plain' }) }),
        route.document('/toy/staff', { access: 'admin', summary: 'x', handle: () => 'page' })])`,
  }
  const go = (path: string, cookie = '') => fetch(site.kernel.url + path, { redirect: 'manual', headers: { cookie } })
  const leads = async (path: string, cookie?: string) => {
    const reply = await go(path, cookie)
    return [reply.status, reply.headers.get('location')]
  }

  it('answers with a redirect within the site, a file, and the login for strangers', async () => {
    await running({ guide })
    expect(await leads('/toy/away')).toEqual([302, '/here?x=1#y'])
    expect(await leads('/toy/out')).toEqual([302, 'https://elsewhere.example/z'])
    expect(await leads('/toy/trick')).toEqual([302, '/'])
    expect((await leads('/toy/odd'))[0]).toBe(302)
    const file = await go('/toy/file')
    expect([file.headers.get('content-disposition'), await file.text()]).toEqual(["attachment; filename*=UTF-8''t%C3%A4ble.csv", 'a,b'])
    expect((await go('/toy/gone')).status).toBe(404)
    expect(await leads('/toy/mine')).toEqual([302, '/enter'])
    const cookie = `stoa_session=${await site.token()}`
    expect(await (await go('/toy/mine', cookie)).text()).toBe('person 1')
    const { id } = await site.kernel.data.credentials.create({ login: 'ann@example.org', password: 'Ann1234567' })
    const member = `stoa_session=${(await site.kernel.data.credentials.openSession(id)).token}`
    expect(await leads('/toy/staff', member)).toEqual([302, '/403'])
  })
})
