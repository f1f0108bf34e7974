import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatedFiles } from '../../sdk/tools/docs-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const execute = promisify(execFile)

describe('what is generated from the code', () => {
  let generated: Record<string, string>
  beforeAll(async () => {
    generated = await generatedFiles()
  }, 180_000)

  it.each(['sdk/docs/reference.md', 'sdk/docs/plugin-json.md', 'sdk/docs/errors.md', 'sdk/docs/decisions/README.md', 'sdk/api-report.md'])(
    '%s is up to date',
    (file) => {
      expect(readFileSync(join(ROOT, file), 'utf8'), `${file} is stale; write it with "npm run docs" and look at what changed`).toBe(
        generated[file],
      )
    },
  )

  it('names every hook, service and event that plugins declare, with its shape', () => {
    const reference = generated['sdk/docs/reference.md'] ?? ''
    const sources = globSync('plugins/*/shared/api.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))
    const ids = sources.flatMap((source) =>
      [
        ...source.matchAll(/= (?:service|services)<[^(]*\('([\w.]+)'/g),
        ...source.matchAll(/: (?:waterfall|bail|series|parallel|event)</g),
      ].map((match) => match[1]),
    )
    expect(ids.length).toBeGreaterThan(30)
    for (const id of ids) if (id !== undefined) expect(reference).toContain(`\`${id}\``)
    expect(reference.split('\n').filter((line) => /^\| `[\w.]+` \| (waterfall|bail|series|parallel) \| {2}\|/.test(line))).toEqual([])
  })

  it('shows the interface of a service that is declared beside `api.ts`, tells tokens of one id apart, and has none where there is none', () => {
    const reference = generated['sdk/docs/reference.md'] ?? ''
    const shapes = [...reference.matchAll(/^\*\*`([\w.-]+)`\*\*[^\n]*\n\n```typescript\n(?:export interface )?([^\n]+?) ?\{?$/gm)]
    expect(Object.fromEntries(shapes.map(([, id, shape]) => [id, shape]))).toMatchObject({
      'accounts.people': 'People',
      'accounts.signIn': 'SignIn',
      'accounts.signInMethods': '{ methods(): readonly SignInMethod[] }',
      'accounts.userCentre': 'UserCentre',
      'accounts.centrePeople': 'CentrePeople',
      'review.gate': 'Gate',
      'review.reviewers': 'Reviewer',
      'site.moderated': 'Moderated',
      'site.settings': 'SiteSettings',
    })
    expect(reference).toMatch(/### Events[^#]*`answers\.accepted` \| `\{ n: number; experience: number; byId: number \}`/)
    expect(reference).toMatch(/### Reads[^#]*`answers\.accepted` \| `\{ after: number; limit: number \}, /)
    for (const slot of ['kernel.headerCenter', 'kernel.headerActions', 'experiences.listBefore', 'admin.dashboard'])
      expect(reference).toContain(`| \`${slot}\` | none |`)
    expect(reference).toContain('| `site.reasons` | `{ objectType: string; action: string }')
    expect(reference).toMatch(/\| `audit\.actions` \| audit \| The point/)
  })
})

describe('examples in guides', () => {
  const files = globSync(['sdk/**/*.md', 'plugins/*/README.md', 'examples/*/README.md'], {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  /** In the repository, where the packages resolve. */
  let folder: string
  beforeAll(() => {
    mkdirSync(join(ROOT, 'build'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'build', 'guides-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('compile', { timeout: 180_000 }, async () => {
    let count = 0
    for (const file of files) {
      const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(tsx?)(?: (\S+))?\n([\s\S]*?)^```$/gm)]
      for (const [index, [, ending = '', name, text = '']] of blocks.entries()) {
        // The files of one guide import each other.
        const path = join(folder, file.replace(/\W/g, '-'), name ?? `block-${index + 1}.${ending}`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${text}\nexport {}\n`)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(10)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../sdk/tsconfig.plugin.json', include: ['.'] }))
    const { stdout } = await execute(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--pretty', 'false', '--checkers', '1', '-p', folder], {
      shell: process.platform === 'win32',
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  it('lead to files that are there', () => {
    const missing = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map((match) => match[1] as string)
        .filter((target) => globSync(join(dirname(join(ROOT, file)), target)).length === 0)
        .map((target) => `${file}: ${target}`),
    )
    expect(missing).toEqual([])
  })
})
