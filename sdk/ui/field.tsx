import { kernelSlots, Slot, useKeptCaret, useText } from '@stoa/sdk/web'
import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

interface FieldAbout {
  label: ReactNode
  /** Under the label's field; gives way to the error. */
  help?: ReactNode
  /** What is wrong and how to mend it. */
  error?: ReactNode
  required?: boolean
  /** The label is there for screen readers only. */
  hideLabel?: boolean
  className?: string
}

/** What ties a control to its label, help and error. */
interface FieldWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldFrameProps extends FieldAbout {
  id?: string
  /** At the end of the label's line, such as a count or a link. */
  aside?: ReactNode
  children: (wiring: FieldWiring) => ReactNode
}

/** Label above, help under it, an error in place of the help. For controls of one's own; the fields below use it too. */
export function FieldFrame({ id: given, label, help, error, required, hideLabel, aside, className, children }: FieldFrameProps) {
  const own = useId()
  const id = given ?? own
  return (
    <div className={classNames(styles.field, className)}>
      <div className={classNames(styles.top, hideLabel && 'visually-hidden')}>
        <label htmlFor={id} className={styles.label}>
          {label}
          {required && <RequiredMark />}
        </label>
        {aside}
      </div>
      {children(wire(id, help, error, required))}
      <Remark id={id} help={help} error={error} />
    </div>
  )
}

const has = (node: ReactNode): boolean => node !== undefined && node !== null && node !== '' && node !== false

const wire = (id: string, help: ReactNode, error: ReactNode, required?: boolean): FieldWiring => ({
  id,
  'aria-describedby': has(error) || has(help) ? `${id}-remark` : undefined,
  'aria-invalid': has(error) || undefined,
  'aria-required': required || undefined,
})

function RequiredMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      *
    </span>
  )
}

function Remark({ id, help, error }: { id: string; help?: ReactNode; error?: ReactNode }) {
  if (has(error)) {
    return (
      <p id={`${id}-remark`} className={styles.error}>
        <Icon name="alert" size={14} />
        <span>{error}</span>
      </p>
    )
  }
  return has(help) ? (
    <p id={`${id}-remark`} className={styles.help}>
      {help}
    </p>
  ) : null
}

interface TextFieldProps extends FieldAbout, Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'size'> {
  onChange?(value: string): void
  /** At the end of the label's line. */
  aside?: ReactNode
}

/** One line of text; `type` and all other attributes of an input pass through. What is typed into a password can be shown. */
export function TextField({
  id,
  label,
  help,
  error,
  required,
  hideLabel,
  className,
  aside,
  onChange,
  type = 'text',
  ...rest
}: TextFieldProps) {
  return (
    <FieldFrame {...{ id, label, help, error, required, hideLabel, className, aside }}>
      {(wiring) => {
        const input = { ...rest, ...wiring, onChange: (event: ChangeEvent<HTMLInputElement>) => onChange?.(event.target.value) }
        return type === 'password' ? <PasswordInput {...input} /> : <input {...input} type={type} className={styles.input} />
      }}
    </FieldFrame>
  )
}

/** The button comes with the scripts, in a place that is kept for it; when the form is sent the password is hidden, so that no browser keeps it as text. */
function PasswordInput(input: ComponentProps<'input'>) {
  const t = useText('core')
  const field = useRef<HTMLInputElement>(null)
  const [isLive, setLive] = useState(false)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    setLive(true)
    const form = field.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])
  return (
    <span className={styles.secret}>
      <input
        {...input}
        ref={field}
        type={isShown ? 'text' : 'password'}
        className={styles.input}
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
      />
      {isLive && (
        <button
          type="button"
          className={styles.reveal}
          aria-pressed={isShown}
          aria-controls={input.id}
          aria-label={t('kit.show_typed')}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eye-off' : 'eye'} size={18} />
        </button>
      )}
    </span>
  )
}

interface TextAreaProps extends FieldAbout, Omit<ComponentProps<'textarea'>, 'onChange' | 'className'> {
  onChange?(value: string): void
  aside?: ReactNode
  /** Stands where an editor will: takes the same room, so that nothing moves when it comes. */
  awaitsEditor?: boolean
  /** Plugins may complete what is typed, such as names of people. */
  completes?: boolean
}

/** Several lines of text; grows with them. */
export function TextArea({
  id,
  label,
  help,
  error,
  required,
  hideLabel,
  className,
  aside,
  onChange,
  rows = 4,
  awaitsEditor = false,
  completes = false,
  onFocus,
  autoFocus = false,
  ...rest
}: TextAreaProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [focused, setFocused] = useState<HTMLTextAreaElement>()
  // Browsers put the caret before what stands there already, such as a name that is answered to.
  useLayoutEffect(() => {
    if (autoFocus) field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [autoFocus])
  useKeptCaret(field, id)
  return (
    <FieldFrame {...{ id, label, help, error, required, hideLabel, className, aside }}>
      {(wiring) => (
        <>
          <textarea
            dir="auto"
            {...rest}
            // biome-ignore lint/a11y/noAutofocus: asked for by the page where writing is what it is for
            autoFocus={autoFocus}
            {...wiring}
            ref={field}
            rows={rows}
            className={classNames(styles.input, styles.area, awaitsEditor && styles.awaitsEditor)}
            onChange={(event) => onChange?.(event.target.value)}
            onFocus={(event) => {
              setFocused(event.currentTarget)
              onFocus?.(event)
            }}
          />
          {completes && focused && <Slot of={kernelSlots.completion} props={{ field: focused }} />}
        </>
      )}
    </FieldFrame>
  )
}

interface Option {
  value: string
  label: string
  disabled?: boolean
}

interface SelectProps extends FieldAbout, Omit<ComponentProps<'select'>, 'onChange' | 'className' | 'size' | 'multiple'> {
  options: readonly Option[]
  onChange?(value: string): void
  /** First entry with an empty value. */
  placeholder?: string
}

/** One of several. */
export function Select({ id, label, help, error, required, hideLabel, className, options, placeholder, onChange, ...rest }: SelectProps) {
  return (
    <FieldFrame {...{ id, label, help, error, required, hideLabel, className }}>
      {(wiring) => (
        <select
          {...rest}
          {...wiring}
          className={classNames(styles.input, styles.select)}
          onChange={(event) => onChange?.(event.target.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

interface CheckboxProps extends FieldAbout, Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'type' | 'size'> {
  onChange?(checked: boolean): void
}

/** Yes or no, as part of a form that is sent. */
export function Checkbox(props: CheckboxProps) {
  return <Toggle {...props} kind={styles.checkbox} />
}

/** On or off, usually at once. */
export function Switch(props: CheckboxProps) {
  return <Toggle {...props} kind={styles.switch} role="switch" />
}

function Toggle({
  id: given,
  label,
  help,
  error,
  required,
  hideLabel,
  className,
  onChange,
  kind,
  ...rest
}: CheckboxProps & { kind?: string }) {
  const own = useId()
  const id = given ?? own
  return (
    <div className={classNames(styles.field, className)}>
      <div className={styles.choice}>
        <input
          {...rest}
          {...wire(id, help, error, required)}
          type="checkbox"
          className={kind}
          onChange={(event) => onChange?.(event.target.checked)}
        />
        <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
          {label}
          {required && <RequiredMark />}
        </label>
      </div>
      <div className={styles.under}>
        <Remark id={id} help={help} error={error} />
      </div>
    </div>
  )
}

interface RadioGroupProps<V extends string> extends FieldAbout {
  id?: string
  name?: string
  options: readonly (Option & { value: NoInfer<V>; help?: ReactNode })[]
  value?: V
  onChange?(value: V): void
  /** In one line where they are short. */
  inline?: boolean
  disabled?: boolean
}

/** One of a few, all in sight. */
export function RadioGroup<V extends string>({
  id: given,
  name,
  label,
  help,
  error,
  required,
  hideLabel,
  className,
  options,
  value,
  onChange,
  inline,
  disabled,
}: RadioGroupProps<V>) {
  const own = useId()
  const id = given ?? own
  const { 'aria-describedby': described, 'aria-invalid': invalid } = wire(id, help, error)
  return (
    <fieldset id={id} className={classNames(styles.field, className)} aria-describedby={described} disabled={disabled}>
      <legend className={classNames(styles.label, hideLabel && 'visually-hidden')}>
        {label}
        {required && <RequiredMark />}
      </legend>
      <div className={inline ? styles.line : styles.column}>
        {options.map((option) => (
          <div key={option.value} className={styles.choice}>
            <input
              id={`${id}-${option.value}`}
              type="radio"
              className={styles.radio}
              name={name ?? id}
              value={option.value}
              disabled={option.disabled}
              aria-invalid={invalid}
              aria-describedby={has(option.help) ? `${id}-${option.value}-remark` : undefined}
              checked={value === undefined ? undefined : value === option.value}
              onChange={() => onChange?.(option.value)}
            />
            <div>
              <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
              <Remark id={`${id}-${option.value}`} help={option.help} />
            </div>
          </div>
        ))}
      </div>
      <Remark id={id} help={help} error={error} />
    </fieldset>
  )
}
