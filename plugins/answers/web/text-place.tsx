import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { TextArea } from '@stoa/sdk/ui/text-area'
import { kernelSlots, Slot } from '@stoa/sdk/web'

type TextPlaceProps = Pick<EditorProps, 'id' | 'label' | 'value' | 'onChange'> & {
  placeholder?: string
  error?: string
  autoFocus?: boolean
}

const ROWS = 8

/** Where Markdown is written: the editor that is on, or a plain text area. */
export function TextPlace({ id, label, value, onChange, placeholder = '', error = '', autoFocus = false }: TextPlaceProps) {
  const plain = (awaitsEditor: boolean) => (
    <TextArea
      id={id}
      name="content"
      label={label}
      value={value}
      onChange={onChange}
      placeholder={placeholder}
      error={error}
      rows={ROWS}
      autoFocus={autoFocus}
      awaitsEditor={awaitsEditor}
      required
    />
  )
  const props: EditorProps = {
    id,
    name: 'content',
    label,
    value,
    onChange,
    placeholder,
    error,
    minRows: ROWS,
    maxLength: 65_535,
    required: true,
    autoFocus,
  }
  return <Slot of={kernelSlots.editor} props={props} empty={plain(false)} waiting={plain(true)} />
}
