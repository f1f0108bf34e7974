import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ErrorDefinition } from '@stoa/sdk'
import type { Manifest } from '@stoa/sdk/manifest'
import schema from '../shared/manifest.schema.json' with { type: 'json' }
import { declarationOf, interfaceOf, propsOf, textBefore, textNaming } from './docs-source.ts'

/** Something that owns extension points: a plugin, or the kernel. */
interface Owner {
  name: string
  manifest: Manifest | undefined
  /** Sources of its contract, and of what they lead to in their folders. */
  source: string
  tokens: Token[]
  errors: { code: string; definition: ErrorDefinition }[]
  /** Points of `plugin.json` that others contribute to. */
  points: { id: string; text: string }[]
  /** By the name that pages of others use. */
  guards: { id: string; text: string }[]
  texts: Record<string, string>
}

interface Token {
  kind: string
  id: string
  hook?: string
  onFault?: string
  whileOff?: string
  cardinality?: string
  was?: string[]
}

const isToken = (value: unknown): value is Token => typeof value === 'object' && value !== null && 'kind' in value && 'id' in value

/** Tokens of a module: exported ones, and those in exported groups. */
function tokensIn(module: object): Token[] {
  const values = Object.values(module)
  const grouped = values.flatMap((value) => (typeof value === 'object' && value !== null && !isToken(value) ? Object.values(value) : []))
  return [...values, ...grouped].filter(isToken)
}

function errorsIn(module: object): Owner['errors'] {
  const isMaker = (value: unknown): value is { code: string; definition: ErrorDefinition } =>
    typeof value === 'function' && 'code' in value && 'definition' in value
  const tables = Object.values(module).filter((value) => typeof value === 'object' && value !== null)
  const all = tables.flatMap((table) => Object.values(table)).filter(isMaker)
  return [...new Map(all.map((maker) => [`${maker.code} ${maker.definition.status}`, maker])).values()]
}

/** Files, and those beside them that they import or pass on. */
function withNeighbours(files: string[]): string[] {
  const all = new Set(files)
  for (const file of all) for (const [, name = ''] of read(file).matchAll(/from '\.\/([\w-]+\.tsx?)'/g)) all.add(join(dirname(file), name))
  return [...all]
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function guardsOf(folder: string, manifest: string): Owner['guards'] {
  if (manifest === '') {
    const source = read(join(folder, 'sdk/shared/manifest.ts')).split('type KernelGuard')[1] ?? ''
    return schema.definitions.guard.properties.name.not.enum.map((id) => ({ id, text: textBefore(source, source.indexOf(`| '${id}'`)) }))
  }
  const { slug, contributes } = JSON.parse(manifest) as Manifest
  return (contributes?.guards ?? []).map(({ name, module }) => {
    const source = read(join(folder, module))
    return { id: `${slug}.${name}`, text: textBefore(source, source.indexOf('export default guard')) }
  })
}

async function owner(root: string, name: string, files: string[], localeFolder: string): Promise<Owner> {
  const there = files.map((file) => join(root, file)).filter(existsSync)
  const modules = await Promise.all(there.map((file) => import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<object>))
  const source = withNeighbours(there).map(read).join('\n')
  const manifest = read(join(root, 'plugins', name, 'plugin.json'))
  return {
    name,
    manifest: manifest === '' ? undefined : (JSON.parse(manifest) as Manifest),
    source,
    // As they are declared, those of other files first; loaders do not agree on the order of exports.
    tokens: [...new Map(modules.flatMap(tokensIn).map((token) => [`${token.kind} ${token.id}`, token])).values()].sort(
      (a, b) => source.indexOf(`'${a.id}'`) - source.indexOf(`'${b.id}'`) || (a.id < b.id ? -1 : 1),
    ),
    errors: modules.flatMap(errorsIn),
    guards: guardsOf(manifest === '' ? root : join(root, 'plugins', name), manifest),
    points: [...source.matchAll(/export const \w+Point = '([^']+)'/g)].map(({ index, 1: id = '' }) => ({
      id,
      text: textBefore(source, index) || textNaming(source, id),
    })),
    texts: JSON.parse(read(join(root, localeFolder, 'en_US.json')) || '{}').server ?? {},
  }
}

async function ownersOf(root: string): Promise<Owner[]> {
  const kernel = ['sdk/web/kernel-slots.ts', 'sdk/shared/errors.ts', 'sdk/server/kernel.ts', 'sdk/kernel/errors.ts', 'sdk/web/web-hooks.ts']
  const plugins = globSync('plugins/*/plugin.json', { cwd: root })
    .map((file) => basename(join(file, '..')))
    .sort()
  return Promise.all([
    owner(root, 'kernel', kernel, 'plugins/locale-en-us/locales'),
    ...plugins.map((name) =>
      owner(root, name, [`plugins/${name}/shared/api.ts`, `plugins/${name}/shared/slots.ts`], `plugins/${name}/locales`),
    ),
  ])
}

const GENERATED = '<!-- Written by `npm run docs` from the code; edit the comments there. -->'
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()
const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``)

function table(head: string[], rows: string[][]): string {
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}

function tokenTables(owner: Owner): string[] {
  const of = (kind: string) => owner.tokens.filter((token) => token.kind === kind)
  const about = (token: Token) => declarationOf(owner.source, token) ?? { type: '', text: '' }
  const section = (title: string, kind: string, head: string[], row: (token: Token) => string[]): string[] =>
    of(kind).length === 0 ? [] : [`### ${title}\n`, `${table(head, of(kind).map(row))}\n`]
  const typed = (token: Token) => code(about(token).type)
  const text = (token: Token) => cell(about(token).text)
  return [
    ...section('Slots', 'slot', ['Slot', 'Props of a contribution', 'Shows', 'Was', 'Where'], (token) => [
      code(token.id),
      code(propsOf(owner.source, about(token).type)) || 'none',
      token.cardinality === 'one' ? 'the first' : 'all, in order',
      (token.was ?? []).map(code).join(', '),
      text(token),
    ]),
    ...section('Hooks', 'hook', ['Hook', 'Kind', 'Shape of a tap', 'A failing tap', 'When'], (token) => [
      code(token.id),
      token.hook ?? '',
      typed(token),
      token.onFault === 'refuse' ? 'refuses' : 'is skipped',
      text(token),
    ]),
    ...section('Events', 'event', ['Event', 'Payload', 'While its subscriber is off', 'When'], (token) => [
      code(token.id),
      typed(token),
      token.whileOff ?? '',
      text(token),
    ]),
    ...section('Reads', 'read', ['Read', 'Parameters, result', 'What it is'], (token) => [code(token.id), typed(token), text(token)]),
    ...section('Decorators', 'decorator', ['Decorator', 'Item', 'What it is'], (token) => [code(token.id), typed(token), text(token)]),
    ...section('Filters', 'filter', ['Filter', 'Parameters', 'What it is'], (token) => [code(token.id), typed(token), text(token)]),
    ...section('Bags', 'bag', ['Bag', 'What a check is told', 'What it is'], (token) => [code(token.id), typed(token), text(token)]),
    ...section('Pushes', 'live', ['Push', 'Payload', 'When'], (token) => [code(token.id), typed(token), text(token)]),
    ...services(owner, of('service'), about),
  ]
}

function services(owner: Owner, tokens: Token[], about: (token: Token) => { type: string; text: string }): string[] {
  if (tokens.length === 0) return []
  const parts = tokens.map((token) => {
    const { type, text } = about(token)
    const count = token.cardinality === 'many' ? 'any number of plugins provide it' : 'one plugin provides it'
    const shape = interfaceOf(owner.source, type) ?? type
    return `**\`${token.id}\`**, ${count}.${text === '' ? '' : ` ${cell(text)}`}\n${shape ? `\n\`\`\`typescript\n${shape}\n\`\`\`\n` : ''}`
  })
  return ['### Services\n', ...parts]
}

/** What plugins may join, per owner: `reference.md`. */
function reference(owners: Owner[]): string {
  const places = owners.flatMap(({ name, manifest }) =>
    Object.entries(manifest?.contributes?.places ?? {}).map(([place, path]) => [code(place), code(path), name]),
  )
  const points = owners.flatMap(({ name, points }) => points.map(({ id, text }) => [code(id), name, cell(text)]))
  const parts = owners.flatMap((owner) => {
    const tables = tokenTables(owner)
    return tables.length === 0 ? [] : [`## ${owner.name}\n`, ...tables]
  })
  return [
    `# Reference: what plugins may join\n\n${GENERATED}\n`,
    'Tokens are matched by id: import them from the `shared/api.ts` of their owner, outside of the repository from its package, `@stoa/plugin-<slug>/api`, which',
    '`npm run pack:sdk` makes. Error codes stand in [errors.md](errors.md).\n',
    '## Named places\n',
    'Pages that the kernel or others lead to by name, claimed by `contributes.places`.\n',
    table(['Place', 'Page', 'Claimed by'], places),
    '\n## Guards\n',
    'Names for `guards` of a page in `contributes.routes`. A plugin writes its own without the slug.\n',
    table(
      ['Guard', 'Owner', 'Who passes'],
      owners.flatMap(({ name, guards }) => guards.map(({ id, text }) => [code(id), name, cell(text)])),
    ),
    '\n## Points of `plugin.json`\n',
    table(['Member of `contributes`', 'Owner', 'What it is'], points),
    '',
    ...parts,
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .concat('\n')
    .replace(/\n+$/, '\n')
}

/** Every error of a contract with its status and English text: `errors.md`. */
function errorList(owners: Owner[]): string {
  const texts: Record<string, string> = Object.assign({}, ...owners.map((owner) => owner.texts))
  const parts = owners
    .filter(({ errors }) => errors.length > 0)
    .flatMap(({ name, errors }) => [
      `## ${name}\n`,
      `${table(
        ['Code', 'Status', 'Shown', 'In the log', 'Text'],
        [...errors]
          .sort((a, b) => (a.code === b.code ? a.definition.status - b.definition.status : a.code < b.code ? -1 : 1))
          .map(({ code: id, definition }) => [
            code(id),
            String(definition.status),
            definition.field ? `at the field ${code(definition.field)}` : (definition.display ?? ''),
            cell(definition.message),
            cell(texts[id] ?? ''),
          ]),
      )}\n`,
    ])
  return [
    `# Errors\n\n${GENERATED}\n`,
    'The code goes out as `reason`; people read the text in their language. `{name}` is a parameter.\n',
    ...parts,
  ].join('\n')
}

/** @param root the repository @returns path → content */
export async function referenceFiles(root: string): Promise<Record<string, string>> {
  const owners = await ownersOf(root)
  return { 'sdk/docs/reference.md': reference(owners), 'sdk/docs/errors.md': errorList(owners) }
}
