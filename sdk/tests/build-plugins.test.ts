import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPlugins } from '../build/index.ts'
import type { BuildFacts } from '../shared/manifest.ts'

const files: Record<string, string> = {
  'plugin.json': JSON.stringify({
    slug: 'greeter',
    version: '0.1.0',
    type: 'route',
    sdk: '^1.0.0',
    contributes: { routes: [{ path: '/hello', module: 'web/greeter.tsx', layout: 'main' }], styles: ['web/tokens.css'] },
  }),
  'server/index.ts': "import { readFileSync } from 'fs'\nexport default { needs: {}, reader: readFileSync as unknown }",
  'migrations/0002-more.ts': 'export default { up: async () => {}, contracts: true }',
  'migrations/0001-first.ts': 'export default { up: async () => {} }',
  'web/greeter.tsx': `import { Button } from '@stoa/sdk/ui/button'
import css from './greeter.module.css'
export default () => <Button className={css.greeting}>hello</Button>`,
  'web/greeter.module.css': '.greeting { color: red }',
  'web/tokens.css': ':root { --greeting: red }',
  'locales/en_US.json': '{ "web": {} }',
}

describe('the build preset', () => {
  let root: string
  let folder: string
  const build = (out = 'out') => buildPlugins({ folders: [folder], out: join(root, out), mode: 'production' })
  const facts = (out = 'out') =>
    JSON.parse(readFileSync(join(root, out, 'greeter', 'plugin.json'), 'utf8')) as { build: BuildFacts; contributes: { styles: string[] } }
  const write = (base: string) => {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(base, file)), { recursive: true })
      writeFileSync(join(base, file), content)
    }
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'stoa-build-'))
    folder = join(root, 'plugins', 'greeter')
    write(folder)
    expect(await build()).toEqual({ built: ['greeter'], fresh: [], failed: [], warnings: [] })
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it('completes the manifest with what each contribution loads', () => {
    const { build: built, contributes } = facts()
    expect(built).toMatchObject({ server: 'server.cjs', reads: null, migrations: 'migrations.cjs', seed: null, locales: ['en_US'] })
    const module = built.web?.modules['web/greeter.tsx']
    expect(module).toEqual({
      expose: './web/greeter',
      js: [expect.stringMatching(/^greeter\.\w+\.js$/)],
      css: [expect.stringMatching(/^greeter\.\w+\.css$/)],
      ui: ['button'],
    })
    expect(Object.keys(built.web?.integrity ?? {}).sort()).toEqual(
      [...(module?.js ?? []), ...(module?.css ?? []), ...contributes.styles, built.web?.entry].sort(),
    )
  })

  it('gives server code the modules of node and nothing that it did not bundle', () => {
    const require = createRequire(join(root, 'x.js'))
    expect(require(join(root, 'out/greeter/server.cjs')).default.reader).toBe(readFileSync)
    const steps = require(join(root, 'out/greeter/migrations.cjs')) as { name: string; contracts?: boolean }[]
    expect(steps.map(({ name, contracts = false }) => [name, contracts])).toEqual([
      ['0001-first', false],
      ['0002-more', true],
    ])
  })

  it('leaves alone what has not changed, and writes the same bytes again', async () => {
    expect(await build()).toEqual({ built: [], fresh: ['greeter'], failed: [], warnings: [] })
    await build('again')
    const bytes = (out: string) =>
      readdirSync(join(root, out, 'greeter')).map((file) =>
        file === 'locales' ? file : readFileSync(join(root, out, 'greeter', file), 'utf8'),
      )
    expect(bytes('again')).toEqual(bytes('out'))
  })

  it('names the mistake and keeps the last build', async () => {
    const before = facts()
    writeFileSync(join(folder, 'web/greeter.tsx'), "import { Nothing } from '@stoa/sdk/ui/nothing'\nexport default Nothing")
    const { failed } = await build()
    expect(failed).toEqual([{ folder, errors: [expect.stringContaining("'@stoa/sdk/ui/nothing'")] }])
    expect(facts()).toEqual(before)
    write(folder)
  })

  it.each(['react-router', 'react-router-dom', 'react-router/dom'])('refuses %s, whichever half asks for it', async (name) => {
    for (const file of ['web/greeter.tsx', 'server/index.ts']) {
      writeFileSync(join(folder, file), `import { Link } from '${name}'\nexport default Link`)
      const { failed } = await build()
      const [said = ''] = failed[0]?.errors ?? []
      expect(said).toContain(`A plugin cannot import ${name.replace('/dom', '')}: links, addresses and parameters come from @stoa/sdk/web`)
      expect(said).toContain(file)
      write(folder)
    }
  })
})
