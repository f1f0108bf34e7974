import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { packedToy } from './pack.ts'
import { runStoa } from './run-stoa.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const saying = (version: string) => ({
  manifest: { version },
  activate: `ctx.routes([get('/toy/drum', () => ${JSON.stringify(version)})])`,
})

let site: ToySite
let database: TestDatabase | undefined
let registry: Server
let address = ''
/** Path → what is answered. */
const served = new Map<string, Buffer | string>()
/** npm keeps what it fetched; each test asks anew. */
let cache = ''

beforeAll(async () => {
  registry = createServer((request, response) => {
    const body = served.get(decodeURIComponent(request.url ?? ''))
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
    })
    response.end(body ?? '{"error":"not found"}')
  })
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  cache = mkdtempSync(join(tmpdir(), 'stoa-npm-'))
  if (process.env.STOA_TEST_DATABASE === 'postgres') database = await createDatabase(process.env.STOA_TEST_PG as string)
  site = await startToySite({}, database && { databaseUrl: database.url })
})
afterAll(async () => {
  await site?.close()
  await database?.drop()
  registry?.close()
  if (cache) rmSync(cache, { recursive: true, force: true })
})

/** Puts a version of a package up, as `npm publish` does. */
async function publish(name: string, versions: Record<string, Buffer>, integrity?: string): Promise<void> {
  const described = Object.entries(versions).map(([version, tarball]) => {
    const path = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
    served.set(path, tarball)
    const dist = {
      tarball: address + path,
      integrity: integrity ?? `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    }
    return [version, { name, version, dist }] as const
  })
  const latest = described.at(-1)?.[0]
  served.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(described) }))
}
const stoa = (args: string[], registryAddress = address) =>
  runStoa(args, {
    STOA_DATA: site.dataDir,
    ...(database && { DATABASE_URL: database.url }),
    npm_config_cache: cache,
    npm_config_registry: registryAddress,
  })
const runs = async () => (await site.call('GET', '/toy/drum')).data

describe('a plugin installed by the name of its package', () => {
  it('comes from the registry: the newest version, or the one that was named', async () => {
    await publish('@band/stoa-drum', {
      '1.0.0': await packedToy('drum', saying('1.0.0')),
      '1.1.0': await packedToy('drum', saying('1.1.0')),
    })
    expect(await stoa(['plugin', 'install', '@band/stoa-drum@1.0.0'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^drum 1\.0\.0 is installed/),
    })
    expect((await stoa(['enable', 'drum'])).code).toBe(0)
    expect(await runs()).toBe('1.0.0')
    expect(await stoa(['install', '@band/stoa-drum'])).toMatchObject({ code: 0, out: expect.stringMatching(/^drum 1\.1\.0 is installed/) })
    expect(await runs()).toBe('1.1.0')
  })

  it('is not taken when what came is not what was promised, and what runs goes on', async () => {
    const forged = `sha512-${createHash('sha512').update('something else').digest('base64')}`
    await publish('stoa-forged', { '2.0.0': await packedToy('drum', saying('2.0.0')) }, forged)
    expect(await stoa(['install', 'stoa-forged'])).toMatchObject({
      code: 1,
      out: '',
      errors: expect.stringMatching(/^stoa-forged was not installed: [^\n]*checksum[^\n]*\n$/),
    })
    expect(await runs()).toBe('1.1.0')
  })

  it('is refused in one sentence where the registry does not have it, or is not there', async () => {
    expect(await stoa(['install', 'stoa-nowhere'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^stoa-nowhere [^\n]*no package of that name\.\n$/),
    })
    expect(await stoa(['install', '@band/stoa-drum@7.0.0'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^[^\n]*no such version[^\n]*\n$/),
    })
    const away = await stoa(['install', 'stoa-away'], 'http://127.0.0.1:9')
    expect(away).toMatchObject({ code: 1, errors: expect.stringMatching(/^stoa-away [^\n]*cannot be reached[^\n]*\n$/) })
  })

  it('that is no plugin is refused as a file would be', async () => {
    await publish('left-handed', { '1.0.0': await packedToy('drum', { manifest: { sdk: '^99.0.0' } }) })
    expect(await stoa(['install', 'left-handed'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^left-handed was refused: "sdk" asks for \^99\.0\.0[^\n]*\n$/),
    })
  })
})
