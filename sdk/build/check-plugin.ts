import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { partsOf, withinMajor } from '../kernel/contracts.ts'
import { meant, nearest } from '../kernel/nearest.ts'
import { movedGuards } from '../legacy/guard-names.ts'
import { wasSlot } from '../legacy/slot-names.ts'
import schema from '../shared/manifest.schema.json' with { type: 'json' }
import type { ConfigField, Manifest } from '../shared/manifest.ts'
import type { KnownContract } from './known-contracts.ts'
import type { PluginSource } from './plugin-source.ts'
import { readSource } from './plugin-source.ts'

/** What reading a plugin's folder finds, before anything of it is compiled. */
export interface Findings {
  /** What cannot work. */
  errors: string[]
  /** What cannot be known here, such as a slot of a contract that is not installed. */
  warnings: string[]
}

/** Every page is read in both. */
const LANGUAGES = ['zh_CN', 'en_US']

/** Holds the names that a plugin's manifest uses against those that there are; each mistake comes with the nearest right name. */
export function checkPlugin(folder: string, known: ReadonlyMap<string, KnownContract>): Findings {
  const source = readSource(folder)
  if ('errors' in source) return { errors: source.errors, warnings: [] }
  const { manifest } = source
  const findings = [
    ...members(manifest),
    ...contracts(manifest, known),
    ...places(manifest, known),
    ...guards(manifest, known),
    ...imports(source, known),
    ...textsOf(source),
    ...designTokens(source),
  ]
  return {
    errors: findings.flatMap(({ error }) => error ?? []),
    warnings: findings.flatMap(({ warning }) => warning ?? []),
  }
}

type Finding = { error?: string; warning?: string }

interface Shape {
  $ref?: string
  properties?: Record<string, Shape>
  items?: Shape
}

/** Members that nobody reads: probably misspelt. */
function members(manifest: Manifest): Finding[] {
  const definitions = new Map(Object.entries(schema.definitions as Record<string, Shape>))
  const walk = (value: unknown, { $ref, ...shape }: Shape, at: string): Finding[] => {
    if ($ref !== undefined) return walk(value, definitions.get($ref.split('/').at(-1) as string) ?? {}, at)
    if (Array.isArray(value)) return value.flatMap((entry, index) => walk(entry, shape.items ?? {}, `${at}[${index}]`))
    if (typeof value !== 'object' || value === null || !shape.properties) return []
    const inner = new Map(Object.entries(shape.properties))
    return Object.entries(value).flatMap(([name, entry]) => {
      const path = at === '' ? name : `${at}.${name}`
      const next = inner.get(name)
      if (next) return walk(entry, next, path)
      // Points and additions of editors.
      if (name.includes('.') || name === '$schema') return []
      const sentence = `plugin.json: "${path}" is no member that anything reads.${meant(name, inner.keys())}`
      return [nearest(name, inner.keys()) === undefined ? { warning: sentence } : { error: sentence }]
    })
  }
  return walk(manifest, schema as Shape, '')
}

/** Names in `needs` and `wants`. */
function contracts({ needs = {}, wants = {} }: Manifest, known: ReadonlyMap<string, KnownContract>): Finding[] {
  return [...Object.keys(needs), ...Object.keys(wants)].flatMap((key): Finding[] => {
    const [contract, name] = partsOf(key)
    const found = known.get(contract)
    if (!found) {
      const near = nearest(contract, known.keys())
      const sentence = `plugin.json names the contract "${contract}", which is not installed here.${near === undefined ? '' : ` Did you mean ${near}?`}`
      return [near === undefined ? { warning: sentence } : { error: sentence }]
    }
    const ids = found.tokens.map(({ id }) => id)
    return name === '' || ids.includes(key) ? [] : [{ error: `plugin.json names ${key}; ${contract} has no such token.${meant(key, ids)}` }]
  })
}

/** Former and present ids of slots, and points. */
function places({ slug, contributes = {}, points = {} }: Manifest, known: ReadonlyMap<string, KnownContract>): Finding[] {
  const tokens = [...known.values()].flatMap((contract) => contract.tokens)
  const slots = tokens.filter(({ kind }) => kind === 'slot')
  const now = new Set([...slots.map(({ id }) => id), ...Object.keys(wasSlot).map((name) => `kernel.${name}`)])
  const before = new Map([
    ...slots.flatMap(({ id, was = [] }) => was.map((old) => [old, id] as const)),
    ...Object.entries(wasSlot).flatMap(([name, olds]) => olds.map((old) => [old, `kernel.${name}`] as const)),
  ])
  const pointIds = new Set([...Object.keys(points), ...[...known.values()].flatMap(({ manifest }) => Object.keys(manifest?.points ?? {}))])
  const isKnown = (id: string) => known.has(partsOf(id)[0]) || partsOf(id)[0] === 'kernel' || partsOf(id)[0] === slug
  const judge = (what: string, id: string, ids: ReadonlySet<string>): Finding[] => {
    if (ids.has(id)) return []
    const sentence = `plugin.json fills the ${what} ${id}, which nobody has.${meant(id, ids)}`
    return [
      isKnown(id) || nearest(id, ids) !== undefined ? { error: sentence } : { warning: `${sentence} Its contract is not installed here` },
    ]
  }
  return [
    ...(contributes.slots ?? []).flatMap(({ slot }): Finding[] => {
      const renamed = before.get(slot)
      return renamed === undefined ? judge('slot', slot, now) : [{ warning: `plugin.json: the slot ${slot} is called ${renamed} now` }]
    }),
    // What packages bring along is tokens; points stand in manifests, which only neighbours have.
    ...Object.keys(contributes)
      .filter((id) => id.includes('.') && known.get(partsOf(id)[0])?.manifest)
      .flatMap((id) => judge('point', id, pointIds)),
    ...(contributes.navigation ?? [])
      .filter(({ place }) => place.includes('.') && (partsOf(place)[0] === slug || known.get(partsOf(place)[0])?.manifest))
      .flatMap(({ place }) => judge('menu', place, pointIds)),
  ]
}

function guards({ slug, contributes = {} }: Manifest, known: ReadonlyMap<string, KnownContract>): Finding[] {
  const foreign = [...known.values()].flatMap(({ manifest }) =>
    (manifest?.contributes?.guards ?? []).map(({ name }) => `${manifest?.slug}.${name}`),
  )
  const own = (contributes.guards ?? []).flatMap(({ name }) => [name, `${slug}.${name}`])
  const names = new Set<string>([...schema.definitions.guard.properties.name.not.enum, ...movedGuards.keys(), ...own, ...foreign])
  return (contributes.routes ?? []).flatMap(({ path, guards: asked = [] }) =>
    asked
      .filter((name) => !names.has(name))
      .map((name): Finding => {
        const sentence = `plugin.json: the page ${path} asks the guard ${name}, which nobody has: nobody will see it.${meant(name, names)}`
        return name.includes('.') && !known.get(partsOf(name)[0])?.manifest && nearest(name, names) === undefined
          ? { warning: sentence }
          : { error: sentence }
      }),
  )
}

type Tree = Record<string, unknown>

/** `a.b` of every text; forms of number count as one. */
function keysOf(tree: Tree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? keysOf(value as Tree, `${prefix}${key}.`)
      : [`${prefix}${key.replace(/_(zero|one|two|few|many|other)$/, '')}`],
  )
}

type TextSource = Pick<PluginSource, 'folder' | 'manifest' | 'locales' | 'modules'> & { server: boolean }

/** Keys of the texts of a settings form. What is chosen from may be a name that no language translates. */
function settingsTexts(fields: readonly ConfigField[]): string[] {
  return fields.flatMap(
    ({ title, description, ui_options: { placeholder, label, text, action } = {}, options = [] }) =>
      [
        ...[title, description, placeholder, label, text, action?.loading?.text].filter((key) => key !== undefined && key !== ''),
        ...options.flatMap((option) => (/^[\w-]+(\.[\w-]+)+$/.test(option.label) ? [option.label] : [])),
      ] as string[],
  )
}

/** Both languages have the same texts, and those that the manifest names. */
export function textsOf({ folder, manifest, locales, modules, server }: TextSource): Finding[] {
  const { routes = [], navigation = [], links = [], language } = manifest.contributes ?? {}
  const said = settingsTexts([...(manifest.settings ?? []), ...(manifest.memberSettings ?? [])])
  const named = [
    ...[...routes, ...links].flatMap(({ title }) => title ?? []),
    ...navigation.flatMap(({ text, group }) => [text, ...(group ? [group] : [])]),
  ]
  if (locales.length === 0 && modules.length === 0 && !server && named.length === 0 && said.length === 0) return []
  const missing = language
    ? []
    : LANGUAGES.filter((code) => !locales.includes(code)).map((code): Finding => ({ error: `locales/${code}.json is missing` }))
  const trees = LANGUAGES.filter((code) => locales.includes(code)).map((code) => {
    const { web = {}, server: own = {} } = JSON.parse(readFileSync(join(folder, 'locales', `${code}.json`), 'utf8')) as {
      web?: Tree
      server?: Tree
    }
    return { code, web: new Set(keysOf(web)), server: new Set(Object.keys(own)) }
  })
  const all = { web: new Set(trees.flatMap(({ web }) => [...web])), server: new Set(trees.flatMap((tree) => [...tree.server])) }
  return [
    ...missing,
    ...(language ? [] : trees).flatMap((tree) =>
      (['web', 'server'] as const).flatMap((part) =>
        [...all[part]]
          .filter((key) => !tree[part].has(key))
          .map((key): Finding => ({ error: `locales/${tree.code}.json has no text ${part}.${key}, which the other language has` })),
      ),
    ),
    ...(trees.length === 0 ? [] : [...new Set(named)].filter((key) => !all.web.has(key))).map(
      (key): Finding => ({ error: `plugin.json names the text ${key}; no language has it.${meant(key, all.web)}` }),
    ),
    ...(trees.length === 0 ? [] : [...new Set(said)].filter((key) => !all.server.has(key))).map(
      (key): Finding => ({
        error: `plugin.json names the text ${key} in "settings"; no language has it under "server".${meant(key, all.server)}`,
      }),
    ),
  ]
}

/** A contract that a file takes values from, and that `plugin.json` does not name. */
export interface Unnamed {
  contract: string
  range: string
  file: string
}

/** What the build would refuse, found by reading imports: types alone need no name. */
export function unnamedContracts(
  { folder, manifest }: Pick<PluginSource, 'folder' | 'manifest'>,
  known: ReadonlyMap<string, KnownContract>,
): Unnamed[] {
  const { slug, needs = {}, wants = {}, provides = {} } = manifest
  const named = new Set([slug, ...[needs, wants, provides].flatMap((part) => Object.keys(part).map((key) => partsOf(key)[0]))])
  const found = new Map<string, Unnamed>()
  for (const file of globSync('{server,web,shared}/**/*.{ts,tsx}', { cwd: folder })) {
    const source = readFileSync(join(folder, file), 'utf8')
    for (const [, list = '', from = ''] of source.matchAll(/^import\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/gm)) {
      const names = list.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
      const module = from.startsWith('.') ? join(folder, file, '..', from) : from
      for (const [contract, { module: own, tokens, version = '1.0.0' }] of known) {
        // Calls are no tokens: they say themselves when nobody answers.
        const isTaken = own === module && tokens.some(({ path }) => names.includes(path.split('.')[0] ?? ''))
        if (isTaken && !named.has(contract) && !found.has(contract)) found.set(contract, { contract, range: withinMajor(version), file })
      }
    }
  }
  return [...found.values()]
}

const imports = (source: PluginSource, known: ReadonlyMap<string, KnownContract>): Finding[] =>
  unnamedContracts(source, known).map(({ contract, range, file }) => ({
    error: `${file} uses the contract ${contract}; plugin.json names it neither under "needs" nor "wants". "stoa-plugin check --fix" adds "${contract}": "${range}" to "wants"`,
  }))

/** Design tokens of the kit. */
export const kitTokens = (): string[] => [
  ...new Set(
    [...readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8').matchAll(/(?:@property\s+)?(--[a-z][\w-]*)\s*[:{]/g)].map(
      ([, name]) => name as string,
    ),
  ),
]

/** Tokens that a plugin's styles set or use and nobody has: a misspelt one changes nothing, without a word. */
function designTokens({ folder, manifest }: PluginSource): Finding[] {
  const tokens = new Set(kitTokens())
  const files = new Set([...(manifest.contributes?.styles ?? []), ...globSync('web/**/*.css', { cwd: folder })])
  const sheets = [...files]
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => ({ file, css: readFileSync(join(folder, file), 'utf8') }))
  const code = globSync('web/**/*.{ts,tsx}', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  const own = new Set(
    [...sheets.map(({ css }) => css), ...code].flatMap((text) =>
      [...text.matchAll(/(--[a-z][\w-]*)['"]?\]?\s*:/g)].map(([, name]) => name),
    ),
  )
  const used = (css: string) =>
    [...css.matchAll(/var\((--[a-z][\w-]*)\s*([,)])/g)].flatMap(([, name = '', end]) => (end === ',' ? [] : [name]))
  const everywhere = new Set(sheets.flatMap(({ css }) => used(css)))
  return sheets.flatMap(({ file, css }) => {
    const unset = [...new Set(used(css))].filter((name) => !tokens.has(name) && !own.has(name))
    const setsTokens = manifest.contributes?.styles?.includes(file)
    const declared = setsTokens ? [...css.matchAll(/(--[a-z][\w-]*)\s*:/g)].map(([, name]) => name as string) : []
    const idle = [...new Set(declared)].filter((name) => !tokens.has(name) && !everywhere.has(name))
    return [
      ...unset.map((name): Finding => ({ error: `${file} uses ${name}, which no design token is called.${meant(name, tokens)}` })),
      ...idle.map((name): Finding => ({ error: `${file} sets ${name}, which nothing uses.${meant(name, tokens)}` })),
    ]
  })
}

/**
 * Source of a file that ties the strings of a manifest to types: each slot to the component that fills it, each icon to the kit's names.
 * @param at folder in which the file will lie
 */
export function typesOfManifest(folder: string, known: ReadonlyMap<string, KnownContract>, at: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as Manifest
  const { slots = [], navigation = [], taps = [], guards: own = [] } = manifest.contributes ?? {}
  const address = (path: string) => relative(at, path).replaceAll('\\', '/')
  const tokens = [...known.values()].flatMap(({ module, tokens: list }) => list.map((token) => ({ ...token, module })))
  const lines = slots.flatMap(({ slot, module }, index) => {
    const kernel = Object.entries(wasSlot).find(([name, olds]) => slot === `kernel.${name}` || (olds as readonly string[]).includes(slot))
    const token = tokens.find(({ kind, id, was = [] }) => kind === 'slot' && (id === slot || was.includes(slot)))
    if (!existsSync(join(folder, module)) || !(kernel || token)) return []
    const [root = '', ...path] = kernel ? ['kernelSlots', kernel[0]] : (token?.path ?? '').split('.')
    const from = kernel ? '@stoa/sdk/web' : existsSync(token?.module ?? '') ? address(token?.module ?? '') : token?.module
    const type = `(typeof import('${from}'))['${root}']${path.map((name) => `['${name}']`).join('')}`
    return [`/** ${slot} */`, `export type Slot${index} = FillsSlot<${type}, typeof import('${address(join(folder, module))}')>`]
  })
  const there = <T extends { module: string }>(entries: readonly T[]) => entries.filter(({ module }) => existsSync(join(folder, module)))
  lines.push(
    ...there(taps).flatMap(({ hook, module }, index) => [
      `/** ${hook} */`,
      `export type Tap${index} = JoinsHook<(typeof import('@stoa/sdk/web'))['webHooks']['${hook.replace('kernel.', '')}'], typeof import('${address(join(folder, module))}')>`,
    ]),
    ...there(own).flatMap(({ name, module }, index) => [
      `/** ${manifest.slug}.${name} */`,
      `export type Guard${index} = IsGuard<typeof import('${address(join(folder, module))}')>`,
    ]),
  )
  const icons = [...new Set(navigation.flatMap(({ icon }) => icon ?? []))]
  return [
    '// Written by "stoa-plugin check" from plugin.json: what it names has to fit.',
    "import type { IconName } from '@stoa/sdk/ui/icon'",
    "import type { FillsSlot, IsGuard, JoinsHook } from '@stoa/sdk/web'",
    '',
    `export const icons: IconName[] = ${JSON.stringify(icons)}`,
    ...lines,
    'export type { FillsSlot, IsGuard, JoinsHook }',
    '',
  ].join('\n')
}
