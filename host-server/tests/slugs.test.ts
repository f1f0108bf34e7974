import { afterEach, expect, it } from 'vitest'
import { slugOfStack } from '../kernel/faults/fault-book.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const ADMIN = '/answer/admin/api'
let site: ToySite
afterEach(() => site.close())

it('a slug with an underscore is one like others: its set is planned, its faults are its own, its data can be deleted', async () => {
  site = await startToySite({ sea_bell: { activate: `ctx.routes([get('/toy/bell', () => { throw new Error('cracked') })])` } })
  expect((await site.switch('sea_bell', true, site.kernel.plugins.epoch)).status).toBe(200)
  const { data: set } = await site.admin('GET', `${ADMIN}/plugin/set`)
  expect((await site.admin('POST', `${ADMIN}/plugin/set/plan`, { set })).status).toBe(200)
  expect((await site.call('GET', '/toy/bell')).status).toBe(500)
  const { data: plugins } = await site.admin('GET', `${ADMIN}/plugins`)
  const { faults } = plugins.find((row: { slug_name: string }) => row.slug_name === 'sea_bell')
  expect(faults).toMatchObject({ count: 1, last: { message: 'cracked' } })
  expect(slugOfStack({ stack: 'Error\n    at x (plugin://sea_bell@1.0.0-0123abcd/server.cjs:1:1)' })).toBe('sea_bell')
  expect((await site.switch('sea_bell', false, site.kernel.plugins.epoch)).status).toBe(200)
  expect((await site.admin('DELETE', `${ADMIN}/plugin/data`, { plugin_slug_name: 'sea_bell' })).status).toBe(200)
})
