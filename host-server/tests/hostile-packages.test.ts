import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packedToy } from './pack.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const ADMIN = '/answer/admin/api'
/** Members of every object that a file system takes as the name of a folder. */
const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf']

let site: ToySite
beforeEach(async () => {
  site = await startToySite({ clock: { activate: `ctx.routes([get('/toy/clock', () => 'tick')])` } })
  await site.switch('clock', true)
})
afterEach(() => site.close())

const rows = async () => {
  const reply = await site.admin('GET', `${ADMIN}/plugins`)
  expect(reply.status).toBe(200)
  return new Map((reply.data as { slug_name: string; state: string; reason: string }[]).map((row) => [row.slug_name, row]))
}
const remove = (slug: string) => site.admin('DELETE', `${ADMIN}/plugin`, { plugin_slug_name: slug })

describe('a plugin named like a member of every object', () => {
  it('is refused by name, and the site starts, lists and removes as before', async () => {
    for (const name of INHERITED) site.add(name, { manifest: { slug: name } })
    await site.restart()
    const listed = await rows()
    for (const name of INHERITED) expect(listed.get(name)).toMatchObject({ state: 'failed', reason: expect.stringContaining('"slug"') })
    expect(listed.get('constructor')?.reason).toContain('reserved')
    expect((await site.call('GET', '/toy/clock')).data).toBe('tick')
    for (const name of INHERITED) {
      expect((await site.switch(name, true)).status).not.toBe(500)
      expect(await remove(name)).toMatchObject({ status: 200 })
    }
    expect([...(await rows()).keys()].filter((slug) => slug !== 'clock')).toEqual([])
  })

  it('is neither installed nor known to any call', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await packedToy('constructor'))]), 'plugin.tgz')
    const reply = await fetch(`${site.kernel.url}${ADMIN}/plugin/install`, {
      method: 'POST',
      headers: { authorization: await site.token() },
      body: form,
    })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('bad_manifest')])
    const named = { plugin_slug_name: 'constructor' }
    for (const [method, path] of [
      ['DELETE', 'plugin'],
      ['DELETE', 'plugin/data'],
      ['POST', 'plugin/rollback'],
    ] as const)
      expect(await site.admin(method, `${ADMIN}/${path}`, named)).toMatchObject({ status: 404 })
    expect(await site.admin('GET', `${ADMIN}/plugin/config?plugin_slug_name=constructor`)).toMatchObject({ status: 404 })
  })
})

describe('a site that finds what is broken in any way', () => {
  it('starts, names each and goes on', async () => {
    const manifest = (extra: object) => JSON.stringify({ slug: 'x', version: '1.0.0', type: 'route', sdk: '^1.0.0', ...extra })
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const broken: Record<string, [file: string, content: string][]> = {
      'no-json': [['plugin.json', '{']],
      'no-object': [['plugin.json', 'null']],
      'huge-manifest': [['plugin.json', manifest({ note: 'x'.repeat(2 * 1024 * 1024) })]],
      'deep-manifest': [['plugin.json', manifest({ note: '-' }).replace('"-"', deep)]],
      'texts-no-json': [
        ['plugin.json', manifest({ slug: 'texts-no-json' })],
        ['locales/en_US.json', '{'],
      ],
      'texts-no-texts': [
        ['plugin.json', manifest({ slug: 'texts-no-texts' })],
        ['locales/en_US.json', '{"server":{"a":{"b":1}}}'],
      ],
      'locales-a-file': [
        ['plugin.json', manifest({ slug: 'locales-a-file' })],
        ['locales', ''],
      ],
      'settings-inherited': [
        ['plugin.json', manifest({ slug: 'settings-inherited', settings: [{ name: 'toString', type: 'input', title: 't' }] })],
      ],
    }
    for (const [name, files] of Object.entries(broken)) for (const [file, content] of files) site.write(`${name}/${file}`, content)
    mkdirSync(join(site.dataDir, 'plugins/manifest-a-folder/plugin.json'), { recursive: true })
    await site.restart()
    const listed = await rows()
    for (const name of [...Object.keys(broken), 'manifest-a-folder']) {
      expect(listed.get(name), name).toMatchObject({ state: 'failed', reason: expect.stringMatching(/./) })
      expect(
        site.logged.some((line) => line.startsWith(`error ${name}: `)),
        name,
      ).toBe(true)
    }
    expect((await site.call('GET', '/toy/clock')).data).toBe('tick')
  })

  it('does so for what comes with it', async () => {
    const bundled = mkdtempSync(join(tmpdir(), 'stoa-broken-'))
    mkdirSync(join(bundled, 'bell/locales'), { recursive: true })
    writeFileSync(join(bundled, 'bell/plugin.json'), JSON.stringify({ slug: 'bell', version: '1.0.0', type: 'route', sdk: '^1.0.0' }))
    writeFileSync(join(bundled, 'bell/locales/zh_CN.json'), 'oops')
    const other = await startToySite({}, { pluginDirs: [bundled] })
    try {
      expect(other.logged.find((line) => line.startsWith('error bell: '))).toContain('locales/zh_CN.json')
    } finally {
      await other.close()
      rmSync(bundled, { recursive: true })
    }
  })
})
