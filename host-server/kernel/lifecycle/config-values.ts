import type { ConfigField } from '@stoa/sdk'
import { isNumeric } from '../runtime/number-settings.ts'

/** Of what was sent, what the form has a field for. */
export function pick(fields: readonly ConfigField[], values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(values, field.name) ? [[field.name, values[field.name]]] : [])))
}

const choosing = new Set(['radio', 'select'])
const written = new Set(['input', 'textarea', 'upload', 'timezone'])

/** Text key of what is wrong, by field. */
export function wrongFields(fields: readonly ConfigField[], values: Record<string, unknown>): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const field of fields) {
    const value = values[field.name]
    const empty = value === undefined || value === null || value === ''
    if (empty) {
      if (field.required) wrong[field.name] = 'validation.required'
    } else if (choosing.has(field.type) && !field.options?.some((option) => option.value === value)) wrong[field.name] = 'validation.enum'
    else if (field.type === 'checkbox' && !isChecked(field, value)) wrong[field.name] = 'validation.type'
    else if (field.type === 'switch' && typeof value !== 'boolean') wrong[field.name] = 'validation.type'
    else if (isNumeric(field) ? !Number.isFinite(value) : written.has(field.type) && typeof value !== 'string')
      wrong[field.name] = 'validation.type'
  }
  return wrong
}

/** Stored secrets that would be sent elsewhere, or be somebody else's, by what is given: they have to be typed again. @returns text key by field */
export function secretsToRetype(
  fields: readonly ConfigField[],
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, string> {
  const moved = (name: string) => Object.hasOwn(given, name) && String(given[name] ?? '').trim() !== String(stored[name] ?? '').trim()
  const kept = fields.filter(({ name, secret }) => secret && stored[name] && !Object.hasOwn(given, name))
  return Object.fromEntries(
    kept.filter(({ belongs_to = [] }) => belongs_to.some(moved)).map(({ name }) => [name, 'validation.secret_again']),
  )
}

/** One box is on or off; with options it is a list of some of them. */
function isChecked({ options = [] }: ConfigField, value: unknown): boolean {
  if (options.length === 0) return typeof value === 'boolean'
  return Array.isArray(value) && value.every((one) => options.some((option) => option.value === one))
}
