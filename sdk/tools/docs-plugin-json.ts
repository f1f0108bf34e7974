import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kitTokens } from '../build/check-plugin.ts'
import { reserved } from '../pages/reserved-paths.ts'
import schema from '../shared/manifest.schema.json' with { type: 'json' }
import { interfaceOf, textBefore } from './docs-source.ts'

interface Shape {
  $ref?: string
  type?: string | string[]
  expected?: string
  enum?: string[]
  required?: string[]
  properties?: Record<string, Shape>
  items?: Shape
}

/** Definition of the schema → interface that describes it, and its heading. */
const PARTS: [definition: string, name: string, heading: string][] = [
  ['', 'Manifest', 'The file'],
  ['contributes', 'Contributions', '`contributes`'],
  ['route', 'RouteContribution', 'A page: `contributes.routes[]`'],
  ['slot', 'SlotContribution', 'A place that is filled: `contributes.slots[]`'],
  ['tap', 'TapContribution', 'A moment that is joined: `contributes.taps[]`'],
  ['guard', 'GuardContribution', 'A guard: `contributes.guards[]`'],
  ['navigation', 'NavigationContribution', 'An entry of a menu: `contributes.navigation[]`'],
  ['field', 'ConfigField', 'A field of the settings form: `settings[]`'],
]

/** What each type of field draws, and what the plugin is given. */
const FIELDS: [type: string, draws: string, value: string][] = [
  [
    '`input`',
    'a line of text; `ui_options.input_type` as in HTML (`text`, `number`, `email`, `url`, `password`)',
    'text; a number for `number`',
  ],
  ['`textarea`', 'some lines of text; `ui_options.rows`', 'text'],
  ['`checkbox`', 'one box, or with `options` several of several', 'true or false; a list of values'],
  ['`switch`', 'on or off', 'true or false'],
  ['`radio`, `select`', 'one of `options`', 'its value'],
  ['`upload`', 'a picture', 'its address'],
  ['`timezone`', 'a zone', 'its IANA name'],
  ['`tag_selector`', 'slugs', 'a list of objects with `slug_name`'],
  ['`button`', 'does `ui_options.action`', 'nothing'],
  ['`legend`', 'a heading above the fields that follow', 'nothing'],
]

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()

function nameOf({ $ref, type, expected, enum: words, items }: Shape, definitions: Record<string, Shape>): string {
  if ($ref) {
    const name = $ref.split('/').at(-1) as string
    return nameOf(definitions[name] ?? {}, definitions)
  }
  if (expected) return expected
  if (words) return words.map((word) => `"${word}"`).join(', ')
  return items ? `list of ${nameOf(items, definitions)}` : [type].flat().join(' or ')
}

/** `sdk/docs/plugin-json.md`: everything that a `plugin.json` may say, on one page. */
export function pluginJsonPage(root: string): string {
  const source = readFileSync(join(root, 'sdk/shared/manifest.ts'), 'utf8')
  const definitions = schema.definitions as Record<string, Shape>
  const parts = PARTS.map(([definition, name, heading]) => {
    const shape = definition === '' ? (schema as Shape) : (definitions[definition] as Shape)
    const body = interfaceOf(source, name) ?? ''
    const rows = Object.entries(shape.properties ?? {}).map(([member, about]) => {
      const at = body.search(new RegExp(`^ {2}${member}\\??:`, 'm'))
      const text = at < 0 ? '' : textBefore(body, at)
      return `| \`${member}\`${shape.required?.includes(member) ? ' (needed)' : ''} | ${cell(nameOf(about, definitions))} | ${cell(text)} |`
    })
    return `## ${heading}\n\n| Member | Value | |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  const guards = schema.definitions.guard.properties.name.not.enum
  const kernelGuards = source.split('type KernelGuard')[1] ?? ''
  const css = readFileSync(join(root, 'sdk/ui/tokens.css'), 'utf8')
  const tokens = kitTokens().map((name) => `\`${name}\``)
  return [
    '# plugin.json',
    '',
    '<!-- Written by `npm run docs` from the schema, its types and the stylesheet of the kit. -->',
    '',
    'Everything that a `plugin.json` may say. It is read before any code of the plugin runs. `stoa-plugin check` holds it against code, texts and contracts;',
    'a member with a dot in its name is a contribution to a point of another plugin. What `build` and `contracts` hold is written by the build.',
    '',
    ...parts,
    '## Types of settings fields',
    '',
    '| Type | Draws | Value |',
    '| --- | --- | --- |',
    ...FIELDS.map((row) => `| ${row.map(cell).join(' | ')} |`),
    '',
    'Titles, descriptions, labels and placeholders are keys of texts under `server`. `secret` keeps a value from readers: it is sent masked, and kept when',
    'the mask comes back. `belongs_to` names the fields that say whose a secret is and where it is sent: when one of them changes, it has to be typed again.',
    '',
    '## Guards of the kernel',
    '',
    ...guards.map((name) => `- \`${name}\`: ${cell(textBefore(kernelGuards, kernelGuards.indexOf(`| '${name}'`)))}`),
    '',
    'Those of plugins have the slug of their owner and a dot in front. A page whose guard nobody has lets nobody pass.',
    '',
    '## Reserved addresses',
    '',
    `No page of a plugin may lie below ${reserved.map((path) => `\`${path}\``).join(', ')}.`,
    '',
    '## Design tokens',
    '',
    `Stylesheets use tokens, and themes set them; ${css.includes('light-dark(') ? 'colours are written `light-dark(light, dark)`' : 'colours'}. A name that is none of these changes nothing, so the check refuses it.`,
    '',
    `${tokens.join(', ')}.`,
    '',
  ].join('\n')
}
