import { createDatabase } from '@stoa/sdk/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILLS } from '../../host-server/tests/toys.ts'
import type { ZooSite } from './zoo-site.ts'
import { openZoo } from './zoo-site.ts'

/** Far longer than a memory takes to be filled on a busy machine: what is ended here is ended for its memory. */
const STUCK_MS = 120_000
const onPostgres = process.env.STOA_TEST_DATABASE === 'postgres'

let zoo: ZooSite
let own: Awaited<ReturnType<typeof createDatabase>> | undefined
beforeAll(async () => {
  if (onPostgres) own = await createDatabase(process.env.STOA_TEST_PG as string)
  zoo = await openZoo(own?.url, STUCK_MS)
})
afterAll(async () => {
  await zoo.close()
  await own?.drop()
})

/** Reads of PostgreSQL run beside handlers; those of SQLite have workers. */
const inHandler = (fill: string) => ({ activate: `ctx.routes([get('/zoo/beast', () => { ${fill} })])` })
const inRead = (fill: string) => ({
  activate: `ctx.routes([route({ method: 'GET', path: '/zoo/beast', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('beast.read') })])`,
  files: {
    'reads.cjs': `const { read, reading } = require('@stoa/sdk/server')
      module.exports.default = { functions: [reading(read('beast.read'), async () => { ${fill} })] }`,
  },
})
const { map, ...fills } = FILLS
/** A Map of numbers alone is full before the memory is. */
const mapOfArrays = map.replace('set(i, i)', 'set(i, new Array(1000).fill(i))')
const ways = Object.entries({ ...fills, mapOfArrays })

it.each(onPostgres ? ways.slice(0, 1) : ways)('what fills the memory of the site is ended, told and charged: %s', async (_, fill) => {
  zoo.add('beast', onPostgres ? inRead(fill) : inHandler(fill))
  expect((await zoo.switch('beast', true)).status).toBe(200)
  expect((await zoo.call('/zoo/beast')).status).toBe(500)
  expect(await zoo.row('beast')).toMatchObject({ state: 'on', faults: { last: { kind: 'memory' } } })
  // Once may be what somebody asked for.
  expect((await zoo.call('/zoo/beast')).status).toBe(500)
  await expect.poll(async () => (await zoo.row('beast')).state).toBe('quarantined')
  expect((await zoo.row('beast')).reason).toContain('filled its memory')
  expect((await zoo.row('beast', 'zh-CN')).reason).toContain('内存')
  expect((await fetch(zoo.url)).status).toBe(200)
  await zoo.switch('beast', false)
})
