import type { ReplyOf } from '@stoa/sdk'
import { Notice } from '@stoa/sdk/ui/notice'
import { Section, Stack } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Link, useApi, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { dashboardCalls } from '../shared/api.ts'
import { ActivitySection } from './activity.tsx'
import styles from './dashboard.module.css'
import { SystemSection } from './system.tsx'

type Activity = ReplyOf<typeof dashboardCalls.activity>
type Overview = ReplyOf<typeof dashboardCalls.overview>

/** Boxes of the first page of the administration. */
export default function Dashboard() {
  const api = useApi()
  const [loaded, setLoaded] = useState<[Overview, Activity]>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const asked = [api.send(dashboardCalls.overview, { signal }), api.send(dashboardCalls.activity, { signal })] as const
    Promise.all(asked).then(setLoaded, () => {})
    return () => controller.abort()
  }, [api])
  if (!loaded)
    return (
      <div className={styles.coming}>
        <Skeleton lines={12} />
      </div>
    )
  const [overview, activity] = loaded
  return (
    <Stack gap={6}>
      <Matters matters={overview.matters} />
      <Figures figures={overview.figures} />
      <ActivitySection first={activity} />
      <SystemSection system={overview.system} />
    </Stack>
  )
}

function Matters({ matters }: { matters: Overview['matters'] }) {
  const t = useText('dashboard')
  if (matters.length === 0) return <Notice tone="success">{t('all_well')}</Notice>
  return (
    <Section title={t('matters')}>
      <Stack gap={2}>
        {matters.map(({ text, tone, path }) => (
          <Notice key={text} tone={tone}>
            {text} {path && <Link to={path}>{t('open')}</Link>}
          </Notice>
        ))}
      </Stack>
    </Section>
  )
}

function Figures({ figures }: { figures: Overview['figures'] }) {
  const t = useText('dashboard')
  if (figures.length === 0) return null
  return (
    <Section title={t('figures')}>
      <ul className={styles.figures}>
        {figures.map(({ name, label, count, path }) => (
          <li key={name} className={styles.figure}>
            <span className={styles.number}>{count.toLocaleString('en-US')}</span>
            {path ? <Link to={path}>{label}</Link> : <span className={styles.label}>{label}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
