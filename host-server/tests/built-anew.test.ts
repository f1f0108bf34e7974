import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const BUILT = join(import.meta.dirname, '..', '..', 'build')
const folder = mkdtempSync(join(BUILT, 'anew-'))
const [core, host] = [join(folder, 'core'), join(folder, 'host')]
let site: ToySite
afterEach(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const reader = {
  activate: `ctx.routes([
    route({ method: 'GET', path: '/toy/slow', access: 'open', summary: 'x', reply: Type.Unknown(), lane: 'slow', read: read('reader.read') }),
  ])`,
  reads: `const { read, reading } = require('@stoa/sdk/server')
    module.exports.default = { functions: [reading(read('reader.read'), async () => 'as before')] }`,
}

it('goes on with what it was started with, also in threads that open after the next build', async () => {
  cpSync(join(BUILT, 'core'), core, { recursive: true })
  cpSync(join(BUILT, 'host'), host, { recursive: true })
  site = await startToySite({ reader }, { coreDir: core, hostDir: host, preparesPages: false })
  await site.switch('reader', true, site.kernel.plugins.epoch)
  // Another version of the site, which knows nothing of this one.
  writeFileSync(join(host, 'read-worker.mjs'), 'throw new Error("another version")')
  writeFileSync(join(core, 'node', 'core.mjs'), 'throw new Error("another version")')
  for (const language of ['en_US', 'zh_CN']) writeFileSync(join(core, 'texts', `${language}.json`), '{}')

  expect(await site.call('GET', '/toy/slow')).toMatchObject({ status: 200, data: 'as before' })
  const page = await fetch(`${site.kernel.url}/nothing`, { headers: { 'accept-language': 'en-US' } })
  expect([page.status, await page.text()]).toEqual([404, expect.stringMatching(/<h1>Sorry, this page does not exist<\/h1>/)])
})
