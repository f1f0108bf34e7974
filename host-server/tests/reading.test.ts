import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { openPostgresPool } from '../data/db/postgres.ts'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
let database: TestDatabase | undefined
beforeEach(async () => {
  database = process.env.STOA_TEST_DATABASE === 'postgres' ? await createDatabase(process.env.STOA_TEST_PG as string) : undefined
})
afterEach(async () => {
  await site.close()
  await database?.drop()
})

/** Keeps one number in a table; its reads remember it. */
const counter: Toy = {
  activate: `
    const current = read('counter.current')
    const Reply = Type.Unknown()
    await ctx.db.write((tx) => tx.schema.createTable('counter__n').ifNotExists().addColumn('n', 'integer').execute())
    ctx.routes([
      route({ method: 'GET', path: '/toy/n', access: 'open', summary: 'n', reply: Reply, read: current }),
      route({ method: 'GET', path: '/toy/column', access: 'open', summary: 'column', reply: Reply, read: read('counter.column') }),
      route({ method: 'GET', path: '/toy/who', access: 'open', summary: 'who', reply: Reply, read: read('counter.who') }),
      route({ method: 'GET', path: '/toy/broken', access: 'open', summary: 'broken', reply: Reply, read: read('counter.broken') }),
      route({ method: 'POST', path: '/toy/undone', access: 'open', summary: 'undone', reply: Reply, handle: async () => {
        let counted
        await ctx.db.write(async (tx) => {
          await tx.insertInto('counter__n').values({ n: 1 }).execute()
          counted = (await ctx.read(current, {})).count
          throw new Error('undone')
        }).catch(() => {})
        return counted
      } }),
      route({ method: 'POST', path: '/toy/n', access: 'open', summary: 'n', reply: Reply, handle: () =>
        ctx.db.write(async (tx) => {
          await tx.insertInto('counter__n').values({ n: 1 }).execute()
          return (await ctx.read(current, {})).count
        }) }),
    ])`,
  reads: `
    const { defineReads, reading } = require('@stoa/sdk/server')
    const { read } = require('@stoa/sdk')
    const count = (ctx) => ctx.remember('counter.count', async () => {
      const rows = await ctx.db.selectFrom('counter__n').select('n').execute()
      return { count: rows.length }
    })
    const column = (ctx) => ctx.remember('counter.column', async () => {
      const rows = await ctx.db.selectFrom('counter__n').select('n').execute()
      return { count: rows.length }
    }, { table: 'counter__n', columns: ['n'] })
    module.exports.default = defineReads({ functions: [
      reading(read('counter.current'), count),
      reading(read('counter.column'), column),
      reading(read('counter.who'), async (ctx) => ({ id: ctx.person?.id ?? 0, language: ctx.language })),
      reading(read('counter.broken'), async (ctx) => { (await count(ctx)).count = 99; return 'changed' }),
    ] })`,
}

/** Its call waits until it is let go, and is then answered by a read. */
const patient: Toy = {
  activate: `
    const toy = globalThis.toyPatience
    ctx.routes([
      route({ method: 'POST', path: '/toy/patient', access: 'open', summary: 'patient', reply: Type.Unknown(), read: read('patient.value'),
        readParams: async () => {
          toy.begun()
          await toy.gate
          toy.events.push('written')
          return {}
        } }),
    ])`,
  reads: `
    const { defineReads, reading } = require('@stoa/sdk/server')
    const { read } = require('@stoa/sdk')
    module.exports.default = defineReads({ functions: [reading(read('patient.value'), async () => 'read')] })`,
}
const leaving: Toy = { activate: `const toy = globalThis.toyPatience; ctx.plugin.own(() => { toy.events.push('stopped') })` }

async function running(): Promise<void> {
  site = await startToySite({ counter }, database ? { databaseUrl: database.url } : {})
  expect(await site.switch('counter', true)).toMatchObject({ status: 200 })
}

describe('a read', () => {
  it('remembers nothing beyond a write', async () => {
    await running()
    for (let n = 1; n <= 10; n++) {
      expect((await site.call('POST', '/toy/n')).data).toBe(n)
      // More than there are workers, at once and one after another.
      const replies = await Promise.all(Array.from({ length: 6 }, () => site.call('GET', '/toy/n')))
      expect(replies.map(({ data }) => data.count)).toEqual(Array(6).fill(n))
      expect((await site.call('GET', '/toy/n')).data.count).toBe(n)
      expect((await site.call('GET', '/toy/column')).data.count).toBe(n)
    }
  })

  it('remembers nothing of a transaction that is undone', async () => {
    await running()
    expect((await site.call('POST', '/toy/undone')).data).toBe(1)
    expect((await site.call('GET', '/toy/n')).data.count).toBe(0)
    expect((await site.call('POST', '/toy/n')).data).toBe(1)
    expect((await site.call('GET', '/toy/column')).data.count).toBe(1)
    expect((await site.call('POST', '/toy/undone')).data).toBe(2)
    expect((await site.call('GET', '/toy/n')).data.count).toBe(1)
    expect((await site.call('GET', '/toy/column')).data.count).toBe(1)
  })

  it.skipIf(process.env.STOA_TEST_DATABASE !== 'postgres')('learns within a second what another node has written', async () => {
    await running()
    expect((await site.call('GET', '/toy/n')).data.count).toBe(0)
    expect((await site.call('GET', '/toy/column')).data.count).toBe(0)
    const other = openPostgresPool((database as TestDatabase).url, 1, () => {})
    try {
      await other.kysely.transaction().execute(async (tx) => {
        await sql`insert into counter__n (n) values (1)`.execute(tx)
        await tx
          .updateTable('kernel__change')
          .set((eb) => ({ n: eb('n', '+', 1) }))
          .where('slot', '=', 0)
          .execute()
      })
    } finally {
      await other.close()
    }
    await expect.poll(async () => (await site.call('GET', '/toy/n')).data.count, { timeout: 2_000 }).toBe(1)
    expect((await site.call('GET', '/toy/column')).data.count).toBe(1)
  })

  it('cannot change what others were given', async () => {
    await running()
    await site.call('POST', '/toy/n')
    for (let i = 0; i < 4; i++) {
      await site.call('GET', '/toy/broken')
      expect((await site.call('GET', '/toy/n')).data).toEqual({ count: 1 })
    }
  })

  it('is answered after the site was at rest, by workers that open again', async () => {
    await running()
    for (let n = 1; n <= 3; n++) {
      site.kernel.trimMemory()
      const replies = await Promise.all(Array.from({ length: 6 }, () => site.call('GET', '/toy/n')))
      expect(replies.map(({ status, data }) => [status, data.count])).toEqual(Array(6).fill([200, n - 1]))
      // While they open, too.
      site.kernel.trimMemory()
      expect((await site.call('POST', '/toy/n')).data).toBe(n)
      expect((await site.call('GET', '/toy/n')).data.count).toBe(n)
    }
    site.kernel.trimMemory()
    expect(await site.switch('counter', false)).toMatchObject({ status: 200 })
    expect(await site.call('GET', '/toy/n')).toMatchObject({ status: 404 })
    expect(await site.switch('counter', true)).toMatchObject({ status: 200 })
    expect((await site.call('GET', '/toy/n')).data.count).toBe(3)
  })

  it('is answered for whoever asked, when many ask for the same at once', async () => {
    await running()
    const as = (language: string) => fetch(`${site.kernel.url}/toy/who`, { headers: { 'accept-language': language } })
    const member = () => site.admin('GET', '/toy/who')
    const asked = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? member() : as('en').then((reply) => reply.json())))
    const replies = (await Promise.all(asked)) as { data: { id: number } }[]
    expect(replies.map(({ data }) => data.id)).toEqual(replies.map((_, n) => (n % 3 === 0 ? 1 : 0)))
  })

  it('is there for a call whose caller has gone, also when a plugin is switched off meanwhile', async () => {
    const open = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const events: string[] = []
    Object.assign(globalThis, { toyPatience: { events, gate: open.promise, begun: () => begun.resolve() } })
    site = await startToySite({ patient, leaving }, database ? { databaseUrl: database.url } : {})
    for (const slug of ['patient', 'leaving']) expect(await site.switch(slug, true)).toMatchObject({ status: 200 })
    const going = new AbortController()
    const asked = fetch(`${site.kernel.url}/toy/patient`, { method: 'POST', signal: going.signal })
    await begun.promise
    going.abort()
    await expect(asked).rejects.toThrow('aborted')
    expect(await site.switch('leaving', false)).toMatchObject({ status: 200 })
    // Were its set forgotten by now, what it holds would be too.
    for (let n = 0; n < 5; n++) expect((await site.admin('GET', '/answer/admin/api/plugins')).status).toBe(200)
    open.resolve()
    await expect.poll(() => events).toEqual(['written', 'stopped'])
    expect(site.logged.filter((line) => !line.startsWith('info'))).toEqual([])
  })
})
