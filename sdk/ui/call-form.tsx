import type { CallToken, ParamsOf } from '@stoa/sdk'
import { useKernel } from '@stoa/sdk/kernel/web'
import { useLocation, usePlace } from '@stoa/sdk/web'
import type { ComponentProps, ReactNode } from 'react'
import type { SentForm } from '../pages/page-state.ts'
import { FORM_MEMBERS, FORM_PREFIX } from '../pages/page-state.ts'
import styles from './call-form.module.css'

interface CallFormProps<C extends CallToken> extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** Its route says `form`. */
  call: C
  /** Members of the call's path. */
  params?: ParamsOf<C>
  /** Members of the call's body that nobody types. */
  members?: Record<string, string>
  /** Path of this site that it leads to, if not where the route says. */
  to?: string | undefined
}

/**
 * A form that works without scripts, and before they are there: its fields are members of the call's body, by name. With scripts `onSubmit` sends
 * the call itself and prevents the rest.
 */
export function CallForm<C extends CallToken>({ call, params, members = {}, to, children, ...rest }: CallFormProps<C>) {
  const { pathname, search } = useLocation()
  const hidden = Object.entries({ ...members, 'stoa:at': pathname + search, ...(to !== undefined && { 'stoa:to': to }) })
  // As URLSearchParams does it, which took longer than the rest of a form.
  const part = (text: string) => encodeURIComponent(text.toWellFormed())
  return (
    <form {...rest} method="post" action={formAddress(call, params)}>
      <input type="hidden" name={FORM_MEMBERS} value={hidden.map((pair) => pair.map(part).join('=')).join('&')} />
      {children}
    </form>
  )
}

interface WithoutScriptsProps {
  /** For visitors: what the link to log in says. */
  invitation: string
  /** A form that came back is shown whoever asks, or what was typed would be out of sight. */
  sent?: SentForm | undefined
  /** For members. */
  children: ReactNode
}

/** What stands in its place where there are no scripts; hide there (`@media (scripting: none)`) what it stands for. */
export function WithoutScripts({ invitation, sent, children }: WithoutScriptsProps) {
  const { pathname, search } = useLocation()
  const login = usePlace('login')
  return (
    <noscript>
      <div className={sent ? undefined : styles.member}>{children}</div>
      {login !== undefined && !sent && (
        <a className={styles.visitor} href={`${login}?next=${encodeURIComponent(pathname + search)}`}>
          {invitation}
        </a>
      )}
    </noscript>
  )
}

const pathOf = (call: CallToken, params: unknown): string =>
  call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name])))

/** Where a form without scripts makes a call; for the `formAction` of a second button too. */
export const formAddress = <C extends CallToken>(call: C, params?: ParamsOf<C>): string => FORM_PREFIX + pathOf(call, params)

/** What came back of a form that was sent without scripts: what was typed, and what is wrong with it. Undefined for every other form. */
export function useSentForm<C extends CallToken>(call: C | undefined, params?: ParamsOf<C>): SentForm | undefined {
  const { sentForm } = useKernel()
  return call && sentForm?.call === pathOf(call, params) ? sentForm : undefined
}
