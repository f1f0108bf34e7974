import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { FieldFrame } from '@stoa/sdk/ui/field'
import { kernelSlots, Slot, useKeptCaret, usePluginOn, useText } from '@stoa/sdk/web'
import { useMemberSettings } from '@stoa/sdk/web/member-settings'
import type { ChangeEvent, ClipboardEvent, DragEvent, KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import { applyEdit } from './apply-edit.ts'
import styles from './editor.module.css'
import type { FieldState } from './edits.ts'
import { codeBlock, continueList, editFor, isInCode } from './edits.ts'
import { FormatHelp } from './format-help.tsx'
import { markdownOf } from './markdown-of.ts'
import { Preview } from './preview.tsx'
import type { Press } from './toolbar.tsx'
import { Toolbar, toolOf } from './toolbar.tsx'
import { UploadList } from './upload-list.tsx'
import { useBeside } from './use-beside.ts'
import type { PictureUpload } from './use-pictures.ts'
import { picturesIn, usePictures } from './use-pictures.ts'
import { useScrollTogether } from './use-scroll-together.ts'
import type { EditorView } from './view-switch.tsx'
import { ViewSwitch } from './view-switch.tsx'
import { WordCount } from './word-count.tsx'

/** A plain text field, so that every keyboard and screen reader works as it does elsewhere, with Markdown at hand. */
export default function Editor({
  id,
  name,
  label,
  value,
  onChange,
  onBlur,
  error,
  help,
  placeholder,
  minRows = 8,
  maxLength,
  required,
  autoFocus,
}: EditorProps) {
  const t = useText('editor')
  const hasPictures = usePluginOn('uploads')
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useKeptCaret(field, id)
  const chooser = useRef<HTMLInputElement>(null)
  const hasRoom = useBeside(box)
  const isBeside = useMemberSettings<{ beside: boolean }>('editor', hasRoom)?.beside === false ? false : hasRoom
  useScrollTogether(box, isBeside)
  const [view, setView] = useState<EditorView>('write')
  const [isOver, setOver] = useState(false)
  const [focused, setFocused] = useState<HTMLTextAreaElement>()
  const { uploads, add, again, forget } = usePictures(field)
  /** The upload that the file being chosen replaces. */
  const refused = useRef<number>(undefined)
  const isWriting = isBeside || view === 'write'

  const choosePicture = (upload?: PictureUpload) => {
    refused.current = upload?.id
    chooser.current?.click()
  }
  const press = (what: Press) => {
    if (what === 'picture') choosePicture()
    else if (field.current) applyEdit(field.current, editFor(what, stateOf(field.current), samplesOf(t)))
  }
  const putCode = (language: string) => {
    if (field.current) applyEdit(field.current, codeBlock(stateOf(field.current), samplesOf(t), language))
  }
  const replace = (make: (selected: string) => string) => {
    if (!field.current) return
    const { text, start, end } = stateOf(field.current)
    const put = make(text.slice(start, end))
    applyEdit(field.current, { from: start, to: end, insert: put, start, end: start + put.length })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const tool = toolOf(event)
    // Enter also chooses a word in an input method: that one is not ours.
    const isEnter =
      event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && !event.nativeEvent.isComposing
    const list = isEnter ? continueList(stateOf(event.currentTarget)) : null
    if (!tool && !list) return
    event.preventDefault()
    if (tool) press(tool)
    else if (list) applyEdit(event.currentTarget, list)
  }
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    setOver(false)
    const files = hasPictures ? picturesIn(data) : []
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    take(event, event.clipboardData)
    const field = stateOf(event.currentTarget)
    if (event.defaultPrevented || isInCode(field)) return
    const markdown = markdownOf(event.clipboardData.getData('text/html'))
    if (markdown === null) return
    event.preventDefault()
    // More than a line begins one of its own.
    const insert = (/[^\n]$/.test(field.text.slice(0, field.start)) && markdown.includes('\n') ? '\n\n' : '') + markdown
    const caret = field.start + insert.length
    applyEdit(event.currentTarget, { from: field.start, to: field.end, insert, start: caret, end: caret })
  }

  const over = (event: DragEvent) => {
    if (!hasPictures || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }

  return (
    <FieldFrame
      id={id}
      label={label}
      help={help}
      error={error}
      {...(required && { required })}
      aside={<WordCount text={value} {...(maxLength && { most: maxLength })} />}
    >
      {(wiring) => (
        <div ref={box} className={styles.editor} data-invalid={Boolean(error)}>
          <div className={styles.head}>
            {isWriting && <Toolbar controls={id} hasPictures={hasPictures} onPress={press} onCodeBlock={putCode} replace={replace} />}
            <FormatHelp />
            {!isBeside && <ViewSwitch view={view} onView={setView} base={id} />}
          </div>
          <div className={styles.panes} data-beside={isBeside}>
            <div
              className={styles.pane}
              hidden={!isWriting}
              data-over={isOver}
              data-text={value}
              {...(!isBeside && { role: 'tabpanel', id: `${id}-write`, 'aria-labelledby': `${id}-write-tab` })}
            >
              <textarea
                {...wiring}
                dir="auto"
                ref={field}
                name={name}
                className={styles.text}
                value={value}
                rows={minRows}
                placeholder={placeholder}
                maxLength={maxLength}
                // biome-ignore lint/a11y/noAutofocus: asked for by the page where writing is what it is for
                autoFocus={autoFocus}
                onChange={(event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.target.value)}
                onBlur={onBlur}
                onFocus={(event) => setFocused(event.currentTarget)}
                onKeyDown={onKeyDown}
                onPaste={paste}
                onDrop={(event) => take(event, event.dataTransfer)}
                onDragOver={over}
                onDragLeave={() => setOver(false)}
              />
              {focused && <Slot of={kernelSlots.completion} props={{ field: focused }} />}
            </div>
            {(isBeside || view === 'preview') && (
              <Preview id={`${id}-preview`} text={value} label={t('view.preview')} isPanel={!isBeside} />
            )}
          </div>
          {hasPictures && (
            <input
              ref={chooser}
              type="file"
              accept="image/*"
              multiple
              hidden
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event) => {
                if (event.target.files?.length && refused.current !== undefined) forget(refused.current)
                refused.current = undefined
                add(event.target.files ?? [])
                event.target.value = ''
              }}
            />
          )}
          {uploads.length > 0 && <UploadList uploads={uploads} onAgain={again} onOther={choosePicture} onForget={forget} />}
        </div>
      )}
    </FieldFrame>
  )
}

const stateOf = (field: HTMLTextAreaElement): FieldState => ({ text: field.value, start: field.selectionStart, end: field.selectionEnd })

function samplesOf(t: (key: string) => string) {
  const keys = ['bold', 'italic', 'code', 'heading', 'link', 'column', 'cell', 'note'] as const
  return Object.fromEntries(keys.map((key) => [key, t(`sample.${key}`)])) as Record<(typeof keys)[number], string>
}
