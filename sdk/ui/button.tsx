import { Link } from '@stoa/sdk/web'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import { Spinner } from './spinner.tsx'

interface ButtonLook {
  /** One primary button a form; `quiet` has no border; default `secondary`. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium'
  icon?: IconName
  /** Fills the line. */
  wide?: boolean
}

interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Work is under way: shows it, keeps the focus and ignores presses. */
  busy?: boolean
}

/** A press that does something. `type` is `button` unless given. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  wide,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={look({ variant, size, wide }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => press(event, busy, onClick)}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends ButtonLook, Omit<ComponentProps<'a'>, 'href'> {
  /** Path within the site, or an address of another one. */
  to: string
}

/** A link that looks like a button. */
export function ButtonLink({ to, variant = 'secondary', size = 'medium', icon, wide, className, children, ...rest }: ButtonLinkProps) {
  const about = { ...rest, className: look({ variant, size, wide }, className) }
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  if (/^[a-z]+:/i.test(to))
    return (
      <a {...about} href={to}>
        {content}
      </a>
    )
  return (
    <Link {...about} to={to}>
      {content}
    </Link>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Name for screen readers and tip for the pointer. */
  label: string
  icon: IconName
  variant?: ButtonLook['variant']
  size?: ButtonLook['size']
  busy?: boolean
  /** A switch: says whether it is on. */
  pressed?: boolean
  /** Beside the icon, such as a count. */
  children?: ReactNode
}

/** A button with only an icon. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'medium',
  busy = false,
  pressed,
  className,
  children,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      className={classNames(look({ variant, size }, className), styles.iconOnly)}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => press(event, busy, onClick)}
    >
      {busy ? <Spinner /> : <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </button>
  )
}

function look({ variant, size, wide }: ButtonLook, extra?: string): string {
  return classNames(styles.button, variant && styles[variant], size === 'small' && styles.small, wide && styles.wide, extra)
}

/** A busy button that submits must not submit again, by Enter neither. */
function press(event: MouseEvent<HTMLButtonElement>, busy: boolean, onClick: ButtonProps['onClick']): void {
  if (busy) event.preventDefault()
  else onClick?.(event)
}
