import { PageTitle } from '@stoa/sdk/ui/page'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { ReactNode } from 'react'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './settings-frame.module.css'

const pages = ['profile', 'account', 'interface'] as const

/** The settings pages share a title and a row of links. */
export function SettingsFrame({ page: shown, children }: { page: (typeof pages)[number]; children: ReactNode }) {
  const t = useAccountsText()
  return (
    <>
      <PageTitle>{t('settings.title')}</PageTitle>
      <TabLinks
        label={t('settings.title')}
        items={pages.map((page) => ({ to: `/users/settings/${page}`, label: t(`settings.${page}.title`), current: page === shown }))}
      />
      <div className={styles.body}>{children}</div>
    </>
  )
}

/** Fields one under another. */
export const formClass = styles.form
