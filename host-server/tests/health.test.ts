import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import type { ToySite } from './toys.ts'
import { startToySite, toyFiles } from './toys.ts'

let site: ToySite | undefined
let database: TestDatabase | undefined
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await site?.close()
  await database?.drop()
  site = database = undefined
})
const onPostgres = process.env.STOA_TEST_DATABASE === 'postgres' ? it : it.skip
const status = async (path: string) => (await fetch((site as ToySite).kernel.url + path)).status

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('/healthz and /readyz', () => {
  it('answer 503, as everything does, until an unattended setup is done', async () => {
    const port = await freePort()
    const bundled = mkdtempSync(join(tmpdir(), 'stoa-bundled-'))
    ends.push(() => rmSync(bundled, { recursive: true }))
    // Looks at the site from inside its own setup.
    const files = toyFiles('watcher', {
      activate: `ctx.on(sdk.kernelHooks.installed, async () => {
        for (const path of ['/healthz', '/readyz', '/', '/openapi.json', '/answer/api/v1/siteinfo', '/rescue'])
          ctx.log.info('saw ' + (await fetch('http://127.0.0.1:${port}' + path)).status + ' ' + path)
      })`,
    })
    mkdirSync(join(bundled, 'watcher'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(bundled, 'watcher', name), text)
    site = await startToySite({}, { port, pluginDirs: [bundled] })
    const seen = site.logged.filter((line) => line.includes('saw ')).map((line) => line.split('saw ')[1])
    expect(seen).toHaveLength(6)
    for (const line of seen) expect(line).toMatch(/^503 /)
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
  })

  it('answer 200 while the wizard waits', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stoa-empty-'))
    ends.push(() => rmSync(dataDir, { recursive: true }))
    const { startKernel } = await import('../kernel.ts')
    const kernel = await startKernel({ dataDir, port: 0, host: '127.0.0.1', pluginDirs: [], trustProxy: [], rateLimits: false, log() {} })
    ends.unshift(() => kernel.close())
    for (const path of ['/healthz', '/readyz', '/readyz?x=1']) expect((await fetch(kernel.url + path)).status).toBe(200)
  })

  it('tell a site that leaves from one that stays', async () => {
    site = await startToySite({})
    const { hostname, port } = new URL(site.kernel.url)
    const ask = async (path: string) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      // Half a request keeps the connection from being closed as idle.
      socket.write(`GET ${path} HTTP/1.1\r\nhost: site\r\nconnection: close\r\n`)
      return async () => {
        const answer = once(socket, 'data')
        socket.write('\r\n')
        return Number(/^HTTP\/1.1 (\d+)/.exec(String((await answer)[0]))?.[1])
      }
    }
    const [health, ready] = [await ask('/healthz'), await ask('/readyz')]
    await status('/healthz')
    const closed = site.kernel.close()
    expect([await health(), await ready()]).toEqual([200, 503])
    await closed
    await site.open()
  })

  onPostgres('tell a database that does not answer in time from a process that does not', async () => {
    database = await createDatabase(process.env.STOA_TEST_PG as string)
    site = await startToySite({}, { databaseUrl: database.url })
    expect(await status('/readyz')).toBe(200)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    ends.push(() => client.end())
    await client.query('begin; lock table kernel__change in access exclusive mode')
    await expect.poll(() => status('/readyz'), { timeout: 20_000 }).toBe(503)
    const before = performance.now()
    expect(await status('/healthz')).toBe(200)
    expect(performance.now() - before).toBeLessThan(1000)
    await client.query('rollback')
    await expect.poll(() => status('/readyz'), { timeout: 20_000 }).toBe(200)
  })
})

describe('a site with an https address', () => {
  it('tells browsers to come by https only', async () => {
    site = await startToySite({}, { siteUrl: 'https://stoa.example' })
    for (const path of ['/healthz', '/rescue', '/nothing'])
      expect((await fetch(site.kernel.url + path)).headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  })

  it('and one without does not', async () => {
    site = await startToySite({})
    expect((await fetch(`${site.kernel.url}/nothing`)).headers.get('strict-transport-security')).toBeNull()
  })
})
