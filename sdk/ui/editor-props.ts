/** What a place for writing gets, whoever fills it: a plain text area or an editor. Text is Markdown. */
export interface EditorProps {
  id: string
  name: string
  label: string
  value: string
  onChange(value: string): void
  onBlur?(): void
  error?: string
  help?: string
  placeholder?: string
  /** Height to begin with, in lines. */
  minRows?: number
  maxLength?: number
  required?: boolean
  autoFocus?: boolean
}
