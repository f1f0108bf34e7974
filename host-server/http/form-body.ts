import type { TSchema } from 'typebox'

interface Schema {
  type?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** What was typed into the fields of a form, as text. Browsers send lines with a carriage return, scripts without. */
export function fieldsOf(form: URLSearchParams, schema: TSchema | undefined): Record<string, string> {
  const { properties = {} } = (schema ?? {}) as Schema
  const fields = Object.keys(properties).map((name) => [name, form.get(name)?.replaceAll('\r\n', '\n')] as const)
  return Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== undefined))
}

/** A form as the body of its call: only what the schema names, text turned into what it says there. What it cannot be stays text, and is refused. */
export function bodyOf(form: URLSearchParams, schema: TSchema | undefined): Record<string, unknown> {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema
  const body = Object.entries(fieldsOf(form, schema)).map(([name, text]) => {
    const member = properties[name] as Schema
    if (member.type === 'array') return [name, form.getAll(name).map((one) => typed(one, member.items))] as const
    // A field that nobody filled is what a client leaves out.
    return [name, text === '' && !required.includes(name) ? undefined : typed(text, member)] as const
  })
  return Object.fromEntries(body.filter(([, value]) => value !== undefined))
}

function typed(text: string, { type }: Schema = {}): unknown {
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean') return text === 'on' || text === 'true' ? true : text === 'false' ? false : text
  return text
}
