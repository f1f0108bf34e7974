import { kernelSlots, Slot, useKeptCaret } from '@stoa/sdk/web'
import type { ComponentProps, ReactNode } from 'react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './text-area.module.css'

export interface FieldAbout {
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

export const has = (node: ReactNode): boolean => node !== undefined && node !== null && node !== '' && node !== false

export const wire = (id: string, help: ReactNode, error: ReactNode, required?: boolean): FieldWiring => ({
  id,
  'aria-describedby': has(error) || has(help) ? `${id}-remark` : undefined,
  'aria-invalid': has(error) || undefined,
  'aria-required': required || undefined,
})

export function RequiredMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      *
    </span>
  )
}

export function Remark({ id, help, error }: { id: string; help?: ReactNode; error?: ReactNode }) {
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
