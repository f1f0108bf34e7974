import type { ReplyOf } from '@stoa/sdk'
import { Section } from '@stoa/sdk/ui/page'
import { Time } from '@stoa/sdk/ui/time'
import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import type { dashboardCalls } from '../shared/api.ts'
import styles from './dashboard.module.css'

const MIB = 1024 * 1024

const size = (bytes: number): string => {
  const mib = bytes / MIB
  return mib < 1024 ? `${mib.toFixed(mib < 10 ? 1 : 0)} MB` : `${(mib / 1024).toFixed(1)} GB`
}

/** What the site runs on. */
export function SystemSection({ system }: { system: ReplyOf<typeof dashboardCalls.overview>['system'] }) {
  const t = useText('dashboard')
  const facts: [name: string, value: ReactNode][] = [
    ['version', system.version],
    ['runtime', system.runtime],
    ['database', system.database],
    ['database_size', size(system.database_bytes)],
    ['memory', size(system.memory_bytes)],
    ['started', <Time key="started" at={system.started_at} />],
    ['https', t(system.https ? 'yes' : 'no')],
    ['time_zone', system.time_zone],
    ['queue', system.jobs_due === 0 ? t('queue_idle') : t('queue_some', { count: system.jobs_due })],
  ]
  return (
    <Section title={t('system')}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
