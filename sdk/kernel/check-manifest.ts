import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import semver from 'semver'
import sdkPackage from '../package.json' with { type: 'json' }
import schema from '../shared/manifest.schema.json' with { type: 'json' }
import type { Manifest } from '../shared/manifest.ts'
import { COMPILE_PLAINLY } from './compile-plainly.ts'
import { meant } from './nearest.ts'

export type CheckedManifest = { ok: Manifest } | { errors: string[] }

/** Version of the sdk that runs here; `sdk` of a manifest must be a range that contains it. */
export const sdkVersion: string = sdkPackage.version

let compiled: ValidateFunction | undefined

/** Compiled when first used: read workers load this file and check nothing. */
function validator(): ValidateFunction {
  if (compiled) return compiled
  // The schema is our own, and right.
  const ajv = new Ajv({
    ...COMPILE_PLAINLY,
    validateSchema: false,
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    keywords: ['expected'],
  })
  ajv.addFormat('semver', (text) => semver.valid(text) === text)
  ajv.addFormat('semver-range', (text) => semver.validRange(text) !== null)
  ajv.addFormat('inside', isInside)
  compiled = ajv.compile(schema)
  return compiled
}

/** A relative path that cannot leave its folder, whatever the system. */
function isInside(file: string): boolean {
  return /^[^\\:\0]+$/.test(file) && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/**
 * Checks the JSON of a `plugin.json`, built or not. Unknown members are allowed.
 * @returns the manifest, or one sentence for each thing that is wrong; each names the member, what was found and what would be right
 */
export function checkManifest(json: unknown): CheckedManifest {
  // First: what recurses over it later, here or elsewhere, would end the stack.
  if (depthOf(json) > MAX_DEPTH) return { errors: [`plugin.json is nested more than ${MAX_DEPTH} levels deep`] }
  const validate = validator()
  if (!validate(json)) return { errors: [...new Set((validate.errors ?? []).filter(isCause).map(sentence))] }
  const manifest = json as unknown as Manifest
  const errors = [...wrongSdk(manifest), ...reservedNames(manifest), ...repetitions(manifest)]
  return errors.length > 0 ? { errors } : { ok: manifest }
}

/** Ajv also reports the keyword that leads to an error; only the innermost says something. */
const isCause = (error: ErrorObject): boolean => !['propertyNames', 'if', 'anyOf', 'oneOf'].includes(error.keyword)

/** `/contributes/routes/0/path` → `contributes.routes[0].path`. */
function memberName(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts
    .reduce(
      (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : /^[\w-]+$/.test(part) ? `${name}.${part}` : `${name}["${part}"]`),
      '',
    )
    .replace(/^\./, '')
}

function sentence(error: ErrorObject): string {
  const member = memberName(error.instancePath)
  if (error.keyword === 'required') {
    const missing = (error.params as { missingProperty: string }).missingProperty
    return `"${member === '' ? missing : `${member}.${missing}`}" is missing`
  }
  const expected = (error.parentSchema as { expected?: string } | undefined)?.expected ?? error.message
  if (error.propertyName !== undefined)
    return `${member === '' ? 'A member' : `A member of "${member}"`} must be ${expected}; found "${error.propertyName}"`
  return `${member === '' ? 'plugin.json' : `"${member}"`} must be ${expected}; found ${found(error.data)}${hint(error)}`
}

/** The one of a list of names that was probably meant. */
function hint({ keyword, data, params }: ErrorObject): string {
  if (keyword !== 'enum' || typeof data !== 'string') return ''
  const near = meant(data, (params as { allowedValues: unknown[] }).allowedValues.map(String))
  return near && `.${near}`
}

function found(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

function wrongSdk(manifest: Manifest): string[] {
  return semver.satisfies(sdkVersion, manifest.sdk) ? [] : [`"sdk" asks for ${manifest.sdk}; this site has ${sdkVersion}`]
}

const MAX_DEPTH = 40

/** Levels of objects and lists, counted up to one more than are allowed. */
function depthOf(json: unknown): number {
  let level: unknown[] = [json]
  for (let depth = 0; ; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0 || depth > MAX_DEPTH) return depth
  }
}

/** Names that every object of JavaScript has, and namespaces of the kernel: plugins that index objects by such a name would find something else. */
const isReserved = (name: string): boolean => name === 'core' || name in Object.prototype

function reservedNames({
  slug,
  kinds = {},
  needs = {},
  wants = {},
  provides = {},
  settings = [],
  memberSettings = [],
  contributes = {},
}: Manifest): string[] {
  const sentence = (member: string, names: readonly string[]) =>
    names.filter(isReserved).map((name) => `"${member}" uses the name "${name}", which is reserved`)
  return [
    ...sentence('slug', [slug]),
    ...sentence('kinds', Object.keys(kinds)),
    ...sentence('needs', Object.keys(needs)),
    ...sentence('wants', Object.keys(wants)),
    ...sentence('provides', Object.keys(provides)),
    ...sentence('contributes', Object.keys(contributes)),
    ...sentence('contributes.places', Object.keys(contributes.places ?? {})),
    ...sentence(
      'settings',
      settings.map(({ name }) => name),
    ),
    ...sentence(
      'memberSettings',
      memberSettings.map(({ name }) => name),
    ),
  ]
}

function repetitions(manifest: Manifest): string[] {
  const twice = (values: (string | number)[]) => [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
  return [
    ...twice(Object.values(manifest.kinds ?? {})).map((code) => `"kinds" gives the code ${code} to more than one name`),
    ...twice((manifest.contributes?.routes ?? []).map((route) => route.path)).map(
      (path) => `"contributes.routes" lists the path ${path} more than once`,
    ),
    ...twice((manifest.contributes?.guards ?? []).map(({ name }) => name)).map(
      (name) => `"contributes.guards" lists the name ${name} more than once`,
    ),
    ...(['settings', 'memberSettings'] as const).flatMap((member) =>
      twice((manifest[member] ?? []).map((field) => field.name)).map((name) => `"${member}" lists the field ${name} more than once`),
    ),
  ]
}
