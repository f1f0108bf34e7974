import { afterEach, expect, it } from 'vitest'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
afterEach(() => site.close())

const PATH = '/toy/news'

/** Says how often it was asked; its news are others than before for one person, or for all. */
const news: Toy = {
  activate: `const [own, all] = ['own', 'all'].map((name) => ({ kind: 'live', id: 'news.' + name }))
let asked = 0, isKept = true
let held, reached
ctx.routes([
  route.kept({ method: 'GET', path: '${PATH}' }, { reply: Type.Unknown() }, { access: 'active', summary: 'x', kept: { until: [own, all], if: (data) => data.isKept },
    handle: async ({ person, language }) => { const n = ++asked; reached?.(); await held; return { n, id: person.id, language, isKept } } }),
  get('/toy/changed', async ({ query }) => { query.of ? await ctx.live.push(own, String(query.of), {}) : await ctx.live.push(all, '', {}) }),
  get('/toy/kept', ({ query }) => { isKept = query.is === 'yes' }),
  get('/toy/slow', async () => { const gate = Promise.withResolvers(); held = gate.promise; globalThis.toyGate = gate; globalThis.toyReached = new Promise((resolve) => { reached = resolve }) }),
])`,
}

const chinese: Toy = { manifest: { type: 'locale', contributes: { language: { code: 'zh_CN', label: '中文' } } } }

async function withNews(more: Record<string, Toy> = {}) {
  site = await startToySite({ news, ...more })
  await site.switch('news', true)
  const { credentials } = site.kernel.data
  const member = async (name: string) => {
    const { id } = await credentials.create({
      login: `${name}@example.org`,
      password: await credentials.hash('Member12345'),
      state: 'normal',
    })
    return { id, token: (await credentials.openSession(id)).token }
  }
  const [ana, ben] = [await member('ana'), await member('ben')]
  const ask = (who: { token: string }, headers: Record<string, string> = {}, path = PATH) =>
    fetch(site.kernel.url + path, { headers: { authorization: who.token, ...headers } })
  const numberOf = async (...asked: Parameters<typeof ask>) => ((await (await ask(...asked)).json()) as { data: { n: number } }).data.n
  return { ana, ben, ask, numberOf, credentials }
}

it('a kept reply is given again, the same in every byte and header, to the same person in the same language', async () => {
  const { ana, ben, ask, numberOf } = await withNews({ chinese })
  await site.switch('chinese', true)
  const [first, second] = [await ask(ana), await ask(ana)]
  const headers = (reply: Response) => [...reply.headers].filter(([name]) => name !== 'date')
  expect(headers(second)).toEqual(headers(first))
  expect(await second.text()).toBe(await first.text())
  expect(await numberOf(ana)).toBe(1)
  expect(await numberOf(ben)).toBe(2)
  const other = (await (await ask(ana, { 'accept-language': 'zh-CN' })).json()) as { data: object }
  expect(other.data).toMatchObject({ n: 3, language: 'zh_CN', id: ana.id })
  expect([await numberOf(ana), await numberOf(ana, { 'accept-language': 'zh-CN' }), await numberOf(ben)]).toEqual([1, 3, 2])
})

it('it is given to who has to be looked up first as well', async () => {
  const { ana, numberOf, credentials } = await withNews()
  expect(await numberOf(ana)).toBe(1)
  credentials.sessions.forget()
  expect([await numberOf(ana), await numberOf(ana)]).toEqual([1, 1])
})

it('it ends with a push for that person or for all', async () => {
  const { ana, ben, numberOf } = await withNews()
  const both = async () => [await numberOf(ana), await numberOf(ben)]
  expect(await both()).toEqual([1, 2])
  await site.call('GET', `/toy/changed?of=${ana.id}`)
  expect(await both()).toEqual([3, 2])
  await site.call('GET', '/toy/changed')
  expect(await both()).toEqual([4, 5])
  expect(await both()).toEqual([4, 5])
})

it('it ends with a setting, a switch, a role and the session', async () => {
  const { ana, ask, numberOf, credentials } = await withNews({ other: {} })
  expect(await numberOf(ana)).toBe(1)
  await site.kernel.data.settings.set('other', { colour: 'red' })
  expect(await numberOf(ana)).toBe(2)
  await site.switch('other', true)
  expect(await numberOf(ana)).toBe(3)
  await credentials.setRole(ana.id, 3)
  expect(await numberOf(ana)).toBe(4)
  await credentials.setState(ana.id, 'suspended')
  expect((await ask(ana)).status).toBe(403)
  await credentials.setState(ana.id, 'normal')
  await site.kernel.data.site.set({ closure: { degree: 'nobody', message: '', until: 0 } })
  await credentials.setRole(ana.id, 1)
  expect((await ask(ana)).status).toBe(503)
  await site.kernel.data.site.set({ closure: { degree: 'open', message: '', until: 0 } })
  expect((await ask(ana)).status).toBe(200)
  await credentials.sessions.close(ana.token)
  expect((await ask(ana)).status).toBe(401)
  expect((await ask({ token: '' })).status).toBe(401)
})

it('what was being made while something changed is given once and not kept', async () => {
  const { ana, ask, numberOf } = await withNews()
  await site.call('GET', '/toy/slow')
  const { toyGate, toyReached } = globalThis as unknown as { toyGate: PromiseWithResolvers<void>; toyReached: Promise<void> }
  const slow = ask(ana)
  await toyReached
  await site.call('GET', `/toy/changed?of=${ana.id}`)
  toyGate.resolve()
  expect(await (await slow).json()).toMatchObject({ data: { n: 1 } })
  expect([await numberOf(ana), await numberOf(ana)]).toEqual([2, 2])
})

it('what its call does not want kept is made each time, and so is what is asked otherwise', async () => {
  const { ana, numberOf } = await withNews()
  await site.call('GET', '/toy/kept?is=no')
  expect([await numberOf(ana), await numberOf(ana)]).toEqual([1, 2])
  await site.call('GET', '/toy/kept?is=yes')
  expect([await numberOf(ana), await numberOf(ana)]).toEqual([3, 3])
  expect(await numberOf(ana, {}, `${PATH}?x=1`)).toBe(4)
  const head = await fetch(site.kernel.url + PATH, { method: 'HEAD', headers: { authorization: ana.token } })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it('who may refuse calls is asked before a kept one is given', async () => {
  const guard: Toy = {
    activate: `let isOpen = true
const errors = defineErrors('error.guard', { closed: { status: 429, message: 'Closed' } })
ctx.on(sdk.kernelHooks.calling, ({ path }) => { if (path === '${PATH}' && !isOpen) return errors.closed() }, { when: ({ path }) => path === '${PATH}' })
ctx.routes([get('/toy/close', () => { isOpen = false })])`,
  }
  const { ana, ask } = await withNews({ guard })
  await site.switch('guard', true)
  expect((await ask(ana)).status).toBe(200)
  await site.call('GET', '/toy/close')
  expect((await ask(ana)).status).toBe(429)
  expect(site.logged.filter((line) => line.startsWith('error'))).toEqual([])
})
