import { TextField } from '@stoa/sdk/ui/field'
import type { Form } from './use-form.ts'

export interface FormFieldProps<V> {
  form: Form<V>
  name: keyof V & string
  label: string
  help?: string
  type?: 'text' | 'email' | 'password' | 'url'
  autoComplete?: string
  required?: boolean
  maxLength?: number
}

/** A text field of a form: its label above, its error in place of the help. */
export function FormField<V extends object>({ form, name, ...about }: FormFieldProps<V>) {
  return (
    <TextField
      {...about}
      name={name}
      value={String(form.values[name] ?? '')}
      error={form.errors[name]}
      onChange={(value) => form.set(name, value as V[keyof V & string])}
    />
  )
}
