import type { ReplyOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import type { outsideCalls } from '../../shared/api.ts'
import styles from './auth-frame.module.css'
import { LoginIcon } from './login-icon.tsx'
import { useAccountsText } from './use-accounts-text.ts'

export type OutsideLogins = ReplyOf<typeof outsideCalls.offered>

const REFUSALS = /^(?:closed|denied|domain|elsewhere|failed|expired|other_person|second|suspended|taken|unavailable)$/

/** Why a login at another site was refused, as the address of the page says. */
export function refusalIn(query: URLSearchParams): string | undefined {
  const refused = query.get('refused') ?? ''
  return REFUSALS.test(refused) ? refused : undefined
}

interface OutsideButtonsProps {
  logins: OutsideLogins
  /** The one that the owner put first, in place of the others. */
  first?: boolean
  next?: string | undefined
}

/** Logins at other sites: links, which need no scripts. */
export function OutsideButtons({ logins: all, first = false, next }: OutsideButtonsProps) {
  const t = useAccountsText()
  const logins = all.filter(({ is_first }) => is_first === first)
  if (logins.length === 0) return null
  const rest = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  return (
    <div className={styles.outside}>
      {logins.map(({ name, icon, link }) => (
        <ButtonLink key={link} to={link + rest} rel="external" variant={first ? 'primary' : 'secondary'} wide>
          <LoginIcon address={icon} />
          {t('outside.with', { name })}
        </ButtonLink>
      ))}
    </div>
  )
}
