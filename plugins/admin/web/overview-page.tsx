import { ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle, Row, Section } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Slot, useText } from '@stoa/sdk/web'
import { adminSlots } from '../shared/api.ts'
import styles from './plugins.module.css'
import { usePlugins } from './use-plugins.ts'

/** The first page of the admin: is everything running? Others add to it through the slot. */
export default function OverviewPage() {
  const t = useText('admin')
  const { rows } = usePlugins()
  const failed = rows?.filter((row) => row.reason !== '') ?? []
  return (
    <>
      <PageTitle text={t('overview.purpose')}>{t('overview.title')}</PageTitle>
      <Slot of={adminSlots.dashboard} waiting={<div className={styles.coming} />} />
      {!rows && <Skeleton lines={4} />}
      {rows && (
        <Section title={t('plugins.title')} className={styles.after}>
          {failed.length > 0 ? (
            <Notice tone="warning">{t('overview.needs_attention', { count: failed.length })}</Notice>
          ) : (
            <Notice tone="success">{t('overview.all_well')}</Notice>
          )}
          <ul className={styles.figures}>
            <Figure value={rows.filter((row) => row.enabled).length} caption={t('overview.plugins_on')} />
            <Figure value={failed.length} caption={t('overview.plugins_failed')} />
          </ul>
          <Row>
            <ButtonLink to="/admin/installed-plugins" icon="plug">
              {t('overview.manage')}
            </ButtonLink>
          </Row>
        </Section>
      )}
    </>
  )
}

function Figure({ value, caption }: { value: number; caption: string }) {
  return (
    <li className={styles.figure}>
      <span className={styles.number}>{value}</span>
      <span className={styles.caption}>{caption}</span>
    </li>
  )
}
