import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { useKernel } from '@stoa/sdk/web'
import { useEffect } from 'react'
import type { PageFailure } from '../../sdk/pages/page-state.ts'
import { errorName } from '../../sdk/pages/page-state.ts'
import { applyHead } from '../router/head.ts'
import styles from './error-page.module.css'

export interface ErrorPageProps extends PageFailure {
  retry?: () => void
}

/** 403, 404 and 50X: what happened, what is kept, what to do next. */
export function ErrorPage({ status, message, retry }: ErrorPageProps) {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const site = kernel.useSite()
  const login = kernel.useLogin()
  const loginPlace = kernel.usePlace('login')
  const home = kernel.usePlace('home') ?? '/'
  const name = errorName(status)
  const title = t(`error.${name}.title`)
  useEffect(() => applyHead({ title, noindex: true }, site), [title, site])
  return (
    <section className={styles.page}>
      <p className={styles.code} aria-hidden="true">
        {status === 500 ? '50X' : status}
      </p>
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
        <ButtonLink to={home}>{t('error.home')}</ButtonLink>
      </p>
    </section>
  )
}
