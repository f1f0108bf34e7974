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

/** What a further button of an editor is given. */
export interface EditorTool {
  /** Of the button, so that it looks like the others. */
  className: string
  /** Puts text in place of what is selected, as though it had been typed; the text is selected then. */
  replace(make: (selected: string) => string): void
}
