import type { KeyboardEvent, ReactNode } from 'react'
import { useId, useState } from 'react'
import { Chip } from './chip.tsx'
import styles from './chooser.module.css'
import { classNames } from './class-names.ts'
import { FieldFrame } from './field.tsx'

export interface ChooserProps {
  label: ReactNode
  help: ReactNode
  error: ReactNode
  required?: boolean
  /** What is chosen, before the field. */
  chosen: readonly { key: string; name: string }[]
  /** Names the list of what is chosen. */
  chosenLabel: string
  onRemove: (key: string) => void
  text: string
  onText: (text: string) => void
  /** Of the text, in characters. */
  maxLength: number
  placeholder: string
  /** Nothing more can be chosen. */
  isFull: boolean
  /** What is offered for the text. */
  options: readonly { key: string; content: ReactNode }[]
  /** Names the list of options. */
  optionsLabel: string
  onChoose: (key: string) => void
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** What Enter takes while no option is marked; without it the first is marked from the start. */
  keyFor?: (text: string) => string | undefined
  /** The focus goes elsewhere: what was typed may be taken as it stands. */
  onLeave?: () => void
  /** A comma takes an option as well, as between words that are typed one after the other. */
  byComma?: boolean
  /** The list keeps its room below the field: a dialog would cut off what hangs over its edge, or move. */
  inFlow?: boolean
  /** Why nothing is offered. */
  note?: ReactNode
}

/** Chooses several of many: a combobox after the ARIA pattern with the chosen ones as chips before it. */
export function Chooser({ text, options, isOpen, onOpen, onChoose, keyFor, inFlow = false, ...props }: ChooserProps) {
  const listId = useId()
  const first = keyFor ? -1 : 0
  const [active, setActive] = useState(first)
  const isShown = isOpen && options.length > 0

  function choose(key: string): void {
    onChoose(key)
    setActive(first)
    // What stands below the field can be reached again.
    onOpen(false)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && text === '') {
      const last = props.chosen.at(-1)
      if (last) props.onRemove(last.key)
    } else if (event.key === 'Escape' && isShown) {
      // A dialog around it stays.
      event.preventDefault()
      event.stopPropagation()
      onOpen(false)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      onOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((at) => (options.length === 0 ? first : (at + step + options.length) % options.length))
    } else if (event.key === 'Enter' || (props.byComma && (event.key === ',' || event.key === '，'))) {
      // Enter must not send the form from here.
      event.preventDefault()
      const key = options[active]?.key ?? keyFor?.(text)
      if (key !== undefined) choose(key)
    }
  }

  const list = (
    <div
      id={listId}
      role="listbox"
      aria-label={props.optionsLabel}
      className={classNames(styles.options, !inFlow && styles.over)}
      hidden={!isShown}
    >
      {options.map(({ key, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the input, which handles keys
        <div
          key={key}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles.option}
          onMouseDown={(event) => event.preventDefault()}
          // Not on entering: a list that opens below a pointer at rest would mark what lies there.
          onMouseMove={() => setActive(index)}
          onClick={() => choose(key)}
        >
          {content}
        </div>
      ))}
    </div>
  )
  const note = (
    <p role="status" className={classNames(styles.note, !inFlow && styles.over)}>
      {props.note}
    </p>
  )
  const field = (
    <FieldFrame label={props.label} help={props.help} error={props.error} {...(props.required && { required: true })}>
      {(wiring) => (
        <div className={styles.box}>
          {props.chosen.length > 0 && (
            <ul className={styles.chosen} aria-label={props.chosenLabel}>
              {props.chosen.map(({ key, name }) => (
                <li key={key}>
                  <Chip name={name} onRemove={() => props.onRemove(key)} />
                </li>
              ))}
            </ul>
          )}
          <input
            {...wiring}
            className={styles.input}
            type="text"
            role="combobox"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isShown && options[active] ? `${listId}-${active}` : undefined}
            autoComplete="off"
            maxLength={props.maxLength}
            placeholder={props.isFull ? '' : props.placeholder}
            disabled={props.isFull}
            value={text}
            onChange={(event) => {
              props.onText(event.target.value)
              setActive(first)
              onOpen(true)
            }}
            onFocus={() => onOpen(true)}
            onClick={() => onOpen(true)}
            onBlur={() => {
              props.onLeave?.()
              onOpen(false)
            }}
            onKeyDown={onKeyDown}
          />
          {!inFlow && list}
          {!inFlow && note}
        </div>
      )}
    </FieldFrame>
  )
  if (!inFlow) return field
  return (
    <>
      {field}
      <div className={styles.below}>
        {list}
        {note}
      </div>
    </>
  )
}
