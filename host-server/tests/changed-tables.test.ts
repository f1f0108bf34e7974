import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { archiveOf } from './pack.ts'
import type { Reply, ToySite } from './toys.ts'
import { startToySite, toyFiles } from './toys.ts'

const first = `{ name: '0001-book', async up(db) {
  await db.schema.createTable('shelf__book').addColumn('n', 'integer').addColumn('title', 'text').execute()
  await db.insertInto('shelf__book').values({ n: 1, title: 'old' }).execute()
} }`
const second = `{ name: '0002-colour', async up(db) { await db.schema.alterTable('shelf__book').addColumn('colour', 'text').execute() } }`

/** Reads, lists and changes its one book with \`select *\` and \`returning *\`. */
const shelf = (version: string, migrations: string[]) =>
  archiveOf(
    Object.entries({
      'package.json': '{ "name": "shelf" }',
      ...toyFiles('shelf', {
        manifest: { version },
        activate: `
          const all = (db) => db.selectFrom('shelf__book').selectAll().execute()
          const change = (tx) => tx.updateTable('shelf__book').set((eb) => ({ n: eb('n', '+', 1) })).returningAll().execute()
          ctx.routes([
            get('/toy/version', () => ${JSON.stringify(version)}),
            get('/toy/list', () => all(ctx.db.query)),
            get('/toy/change', () => ctx.db.write(async (tx) => { await change(tx); return await all(tx) })),
            route({ method: 'GET', path: '/toy/read', access: 'open', summary: 'read', reply: Type.Unknown(), read: read('shelf.all') }),
          ])`,
        reads: `
          const { defineReads, reading, read } = require('@stoa/sdk/server')
          module.exports.default = defineReads({ functions: [
            reading(read('shelf.all'), (ctx) => ctx.db.selectFrom('shelf__book').selectAll().execute()),
          ] })`,
      }),
      'migrations.cjs': `module.exports.default = [${migrations}]`,
    }).map(([name, content]) => ({ name: `package/${name}`, content })),
  )

let site: ToySite
let database: TestDatabase | undefined
afterEach(async () => {
  await site.close()
  await database?.drop()
})

describe('a plugin that reads whole rows, while a table of it gets another column', () => {
  it('is upgraded, rolled back, switched and upgraded again under load without a failed request', async () => {
    database = process.env.STOA_TEST_DATABASE === 'postgres' ? await createDatabase(process.env.STOA_TEST_PG as string) : undefined
    site = await startToySite({}, database ? { databaseUrl: database.url } : {})
    const install = async (version: string, migrations: string[]) => {
      const file = join(site.dataDir, 'shelf.tgz')
      writeFileSync(file, await shelf(version, migrations))
      await site.kernel.lifecycle().install(file, true)
    }
    await install('1.0.0', [first])
    await site.switch('shelf', true)

    let running = true
    let answered = 0
    const failures: Reply[] = []
    const isRight = ({ status, reason, data }: Reply) =>
      status === 200 ? data[0]?.title === 'old' : status === 404 && reason === 'base.route_not_found'
    const load = ['list', 'change', 'read', 'list', 'change', 'read'].map(async (path) => {
      while (running) {
        const reply = await site.call('GET', `/toy/${path}`)
        answered++
        if (!isRight(reply)) failures.push(reply)
      }
    })
    const more = async () => {
      const enough = answered + 200
      await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(enough)
    }
    const seen = async (version: string, hasColour: boolean) => {
      await more()
      expect((await site.call('GET', '/toy/version')).data).toBe(version)
      for (const path of ['list', 'change', 'read'])
        expect('colour' in (await site.call('GET', `/toy/${path}`)).data[0], `${path} of ${version}`).toBe(hasColour)
    }
    try {
      await seen('1.0.0', false)
      await install('2.0.0', [first, second])
      await seen('2.0.0', true)
      await site.kernel.lifecycle().rollback('shelf')
      await seen('1.0.0', true)
      await site.switch('shelf', false)
      await more()
      await site.switch('shelf', true)
      await seen('1.0.0', true)
      await install('2.0.0', [first, second])
      await seen('2.0.0', true)
    } finally {
      running = false
      await Promise.all(load)
    }
    expect(failures).toEqual([])
    expect(site.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })
})
