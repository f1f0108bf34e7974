import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pluginJsonPage } from './docs-plugin-json.ts'
import { referenceFiles } from './docs-reference.ts'
import { emitSdk } from './sdk-package.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Everything that `npm run docs` writes: path in the repository → content. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    ...(await referenceFiles(root)),
    'sdk/docs/plugin-json.md': pluginJsonPage(root),
    'sdk/docs/decisions/README.md': decisionIndex(),
    'sdk/api-report.md': await apiReport(),
  }
}

function decisionIndex(): string {
  const files = globSync('[0-9]*.md', { cwd: join(root, 'sdk/docs/decisions') }).sort()
  const lines = files.map((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(root, 'sdk/docs/decisions', file), 'utf8'))?.[1] ?? file
    return `- ${file.slice(0, 4)} [${title}](${file})`
  })
  return `# Decisions\n\n<!-- Written by \`npm run docs\`. -->\n\nOne page each: situation, decision, cost, what would change our mind.\n\n${lines.join('\n')}\n`
}

/** The public surface of the sdk: the declarations that its entries lead to, without comments. */
async function apiReport(): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'stoa-report-'))
  try {
    await emitSdk(work)
    const folder = join(work, 'sdk')
    const { exports } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { exports: Record<string, string> }
    const entries = authors(exports).flatMap((file) =>
      /\.tsx?$/.test(file) && !file.endsWith('.d.ts') ? globSync(file.replace(/\.tsx?$/, '.d.ts'), { cwd: folder }) : [],
    )
    const files = reachable(
      folder,
      entries.map((file) => join(folder, file)),
    )
    const parts = files.map(
      (file) => `## ${file.slice(folder.length + 1).replaceAll('\\', '/')}\n\n\`\`\`typescript\n${surface(file)}\`\`\`\n`,
    )
    return [
      '# Public surface of @stoa/sdk',
      '',
      '<!-- Written by `npm run docs` from the declarations of the exported entries. A change here is a change of the contract. -->',
      '',
      ...parts,
    ].join('\n')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Entries of the kernel, of what builds plugins, and of the pages that run a site: no other plugin is written with them. */
const NOT_FOR_AUTHORS = new Set(['./administration', './build', './kernel', './kernel/web', './manifest'])

const authors = (exports: Record<string, string>): string[] =>
  Object.entries(exports).flatMap(([name, file]) => (NOT_FOR_AUTHORS.has(name) ? [] : [file]))

function reachable(folder: string, entries: string[]): string[] {
  const found = new Set(entries)
  for (const file of found) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^export \* from ['"](\.[^'"]+)\.tsx?['"]/gm)) {
      const other = join(dirname(file), `${path}.d.ts`)
      if (!other.startsWith(join(folder, 'legacy'))) found.add(other)
    }
  }
  return [...found].sort((a, b) => (a.slice(folder.length) < b.slice(folder.length) ? -1 : 1))
}

function surface(file: string): string {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/^\s*\n/gm, '')
  if (text.trim() === '') throw new Error(`${basename(file)} declares nothing`)
  return text
}
