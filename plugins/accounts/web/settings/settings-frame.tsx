import { PageTitle } from '@stoa/sdk/ui/page'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Slot, useLocation } from '@stoa/sdk/web'
import { useNavigation } from '@stoa/sdk/web/live'
import type { ReactNode } from 'react'
import type { SettingsPage } from '../../shared/api.ts'
import { accountSlots } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './settings-frame.module.css'
import { useMemberForms } from './use-member-forms.ts'

const pages: readonly SettingsPage[] = ['profile', 'account', 'sessions', 'privacy', 'interface']

/** The settings pages share a title and a row of links; those of other plugins are in the row by its menu, or by a form of theirs. */
export function SettingsFrame({ page: shown, children }: { page?: SettingsPage; children: ReactNode }) {
  const t = useAccountsText()
  const others = useNavigation('accounts.settingsTabs')
  const forms = useMemberForms()
  const { pathname } = useLocation()
  return (
    <>
      <PageTitle>{t('settings.title')}</PageTitle>
      <TabLinks
        label={t('settings.title')}
        items={[
          ...pages.map((page) => ({ to: `/users/settings/${page}`, label: t(`settings.${page}.title`), current: page === shown })),
          ...others.map(({ path, label }) => ({ to: path, label, current: path === pathname })),
          ...forms.map(({ name, slug_name }) => ({ to: `/users/settings/${slug_name}`, label: name })),
        ]}
      />
      <div className={styles.body}>
        {children}
        {shown && <Slot of={accountSlots.settings} props={{ page: shown }} />}
      </div>
    </>
  )
}

/** Fields one under another. */
export const formClass = styles.form
