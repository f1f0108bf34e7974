import { useKernel } from '@stoa/sdk/kernel/web'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { useLocation } from '@stoa/sdk/web'
import { useEffect } from 'react'
import type { PageFailure } from '../../sdk/pages/page-state.ts'
import { errorName } from '../../sdk/pages/page-state.ts'
import { applyHead } from '../router/head.ts'
import styles from './error-page.module.css'

export interface ErrorPageProps extends PageFailure {
  retry?: () => void
  /** It was open here when its plugin was switched off. */
  isOff?: boolean
}

/** 403, 404 and 50X: what happened, what is kept, what to do next. */
export function ErrorPage({ status, message, retry, isOff = false }: ErrorPageProps) {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const site = kernel.useSite()
  const login = kernel.useLogin()
  const loginPlace = kernel.usePlace('login')
  const home = kernel.usePlace('home') ?? '/'
  const { pathname } = useLocation()
  const others = kernel.useNavigation('side')
  // Where home itself is gone, the way leads to what is there.
  const way = pathname === home ? others.find(({ path }) => path !== home) : { path: home, label: t('error.home') }
  const name = isOff ? 'off' : errorName(status)
  const title = t(`error.${name}.title`)
  useEffect(() => applyHead({ title, noindex: true }, site), [title, site])
  return (
    <section className={styles.page} role={isOff ? 'alert' : undefined}>
      {!isOff && (
        <p className={styles.code} aria-hidden="true">
          {status === 500 ? '50X' : status}
        </p>
      )}
      <h1>{title}</h1>
      <p>{message || t(`error.${name}.text`)}</p>
      <p className={styles.actions}>
        {status === 500 && retry && (
          <Button variant="primary" onClick={retry}>
            {t('action.retry')}
          </Button>
        )}
        {status === 403 && login.known && !login.isLoggedIn && loginPlace !== undefined && (
          <Button variant="primary" onClick={() => kernel.askForLogin()}>
            {t('person.login')}
          </Button>
        )}
        {way && <ButtonLink to={way.path}>{way.label}</ButtonLink>}
      </p>
    </section>
  )
}
