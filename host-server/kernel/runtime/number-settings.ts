import type { ConfigField } from '@stoa/sdk'

/** A field for a number; forms send what was typed. */
export const isNumeric = ({ type, ui_options }: ConfigField): boolean => type === 'input' && ui_options?.input_type === 'number'

/** The same values, with numbers where fields are for numbers; what is none stays as it is. */
export function numbered(fields: readonly ConfigField[], values: Record<string, unknown>): Record<string, unknown> {
  const texts = fields.filter((field) => isNumeric(field) && typeof values[field.name] === 'string')
  if (texts.length === 0) return values
  const number = (text: string) => (text.trim() === '' || !Number.isFinite(Number(text)) ? text.trim() : Number(text))
  return { ...values, ...Object.fromEntries(texts.map(({ name }) => [name, number(values[name] as string)])) }
}
