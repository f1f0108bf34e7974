import { useText } from '@stoa/sdk/web'
import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import frame from './text-area.module.css'
import type { FieldAbout } from './text-area.tsx'
import { FieldFrame, has, Remark, RequiredMark, wire } from './text-area.tsx'

export { FieldFrame, TextArea } from './text-area.tsx'

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
        return type === 'password' ? <PasswordInput {...input} /> : <input {...input} type={type} className={frame.input} />
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
        className={frame.input}
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
          className={classNames(frame.input, styles.select)}
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
    <div className={classNames(frame.field, className)}>
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
    <fieldset id={id} className={classNames(frame.field, className)} aria-describedby={described} disabled={disabled}>
      <legend className={classNames(frame.label, hideLabel && 'visually-hidden')}>
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
