import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import * as sdk from '../shared/index.ts'
import { swcOptions } from './swc-options.ts'

/** What a contract exports, as far as anybody can take it from a plugin. */
export interface Token {
  kind: string
  id: string
  was?: readonly string[]
  /** Where it stands in the exports: `answerSlots.footer`. */
  path: string
}

/** Tokens of a module, by the name of the export they are part of; a record of tokens counts whole. */
export type ModuleTokens = Map<string, Token[]>

/**
 * Runs contracts once to see their tokens. They are data: nothing but the sdk may be imported by them besides files of their own.
 * @param files absolute paths of modules
 * @throws with the errors of the compiler
 */
export async function tokensOfModules(files: readonly string[]): Promise<Map<string, ModuleTokens>> {
  if (files.length === 0) return new Map()
  const out = mkdtempSync(join(tmpdir(), 'stoa-contracts-'))
  try {
    const compiler = rspack({
      mode: 'production',
      target: 'node22',
      entry: Object.fromEntries(files.map((file, index) => [String(index), { import: file, library: { type: 'commonjs2' } }])),
      output: { path: out, filename: '[name].cjs' },
      externals: [/^@stoa\/sdk(\/|$)/, /^node:/, 'kysely', 'typebox'],
      externalsType: 'commonjs',
      resolve: { extensions: ['.ts', '.js', '.json'] },
      module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', options: swcOptions(false) }] },
      optimization: { minimize: false, splitChunks: false, nodeEnv: false },
      performance: false,
    })
    const errors = await new Promise<string[]>((resolve, reject) =>
      compiler.run((error, stats) =>
        stats
          ? resolve((stats.toJson({ all: false, errors: true }).errors ?? []).map(({ message }) => message))
          : reject(error ?? new Error('No result')),
      ),
    )
    await new Promise((closed) => compiler.close(closed))
    if (errors.length > 0) throw new Error(errors.join('\n'))
    return new Map(files.map((file, index) => [file, tokensIn(evaluate(join(out, `${index}.cjs`)))]))
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const nodeRequire = createRequire(import.meta.url)

/** Exports of a CommonJS file that gets the sdk of this process. */
export function evaluate(file: string, provided: Record<string, unknown> = {}): Record<string, unknown> {
  const given: Record<string, unknown> = { '@stoa/sdk': sdk, ...provided }
  const module = { exports: {} as Record<string, unknown> }
  const load = (id: string) => (Object.hasOwn(given, id) ? given[id] : nodeRequire(id))
  new Function('module', 'exports', 'require', readFileSync(file, 'utf8'))(module, module.exports, load)
  return module.exports
}

function tokensIn(exports: Record<string, unknown>): ModuleTokens {
  return new Map(Object.entries(exports).map(([name, value]) => [name, tokensOf(value, name)]))
}

/** Records of records are looked through, as in `{ events: { created } }`. */
function tokensOf(value: unknown, path: string): Token[] {
  if (typeof value !== 'object' || value === null || path.split('.').length > 4) return []
  const { kind, id, was } = value as Partial<Token>
  if (typeof kind === 'string' && typeof id === 'string' && id.includes('.'))
    return [{ kind: kindOf(value as Token), id, path, ...(was && { was }) }]
  return Object.entries(value).flatMap(([name, inner]) => tokensOf(inner, `${path}.${name}`))
}

/** Services of one and of many are told apart: the second may be missing. */
export function kindOf(token: { kind: string; cardinality?: unknown }): string {
  return token.kind === 'service' && token.cardinality !== 'one' ? 'services' : token.kind
}
