import type { ReplyOf } from '@stoa/sdk'
import { Select } from '@stoa/sdk/ui/field'
import { Section } from '@stoa/sdk/ui/page'
import { Table } from '@stoa/sdk/ui/table'
import { useApi, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { dashboardCalls } from '../shared/api.ts'
import { BarChart } from './bar-chart.tsx'
import styles from './dashboard.module.css'
import { useDay } from './use-day.ts'

type Activity = ReplyOf<typeof dashboardCalls.activity>

const periods = ['30', '90', '365'] as const
const WEEK = 7
/** From so many days on, bars and rows are weeks. */
const LONG = 90

/** What came day by day: a small chart for each kind, and the same numbers as one table. */
export function ActivitySection({ first }: { first: Activity }) {
  const t = useText('dashboard')
  const api = useApi()
  const [days, setDays] = useState<(typeof periods)[number]>('30')
  const [activity, setActivity] = useState(first)
  useEffect(() => {
    const controller = new AbortController()
    if (Number(days) !== activity.days.length)
      api.send(dashboardCalls.activity, { query: { days }, signal: controller.signal }).then(setActivity, () => {})
    return () => controller.abort()
  }, [api, days, activity])
  const shown = inSteps(activity)
  if (activity.series.length === 0) return null
  return (
    <Section
      title={t('activity')}
      actions={
        <Select
          hideLabel
          label={t('period')}
          value={days}
          onChange={(value) => setDays(periods.find((period) => period === value) ?? '30')}
          options={periods.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
        />
      }
    >
      <div className={styles.charts}>
        {shown.series.map((series) => (
          <BarChart key={series.name} days={shown.days} series={series} length={activity.days.length} />
        ))}
      </div>
      <details className={styles.table}>
        <summary>{t('table')}</summary>
        <ActivityTable activity={shown} isWeekly={shown !== activity} />
      </details>
    </Section>
  )
}

/** Weeks in place of days where these would be too many; the first one may be shorter. */
function inSteps(activity: Activity): Activity {
  const { days, series } = activity
  if (days.length < LONG) return activity
  const first = days.length % WEEK || WEEK
  const starts = [0]
  for (let start = first; start < days.length; start += WEEK) starts.push(start)
  const sum = (counts: number[], index: number) =>
    counts.slice(starts[index], starts[index + 1] ?? counts.length).reduce((total, count) => total + count, 0)
  return {
    days: starts.map((start) => days[start] as string),
    series: series.map(({ counts, ...rest }) => ({ ...rest, counts: starts.map((_, index) => sum(counts, index)) })),
  }
}

function ActivityTable({ activity: { days, series }, isWeekly }: { activity: Activity; isWeekly: boolean }) {
  const t = useText('dashboard')
  const said = useDay()
  const rows = days.map((day, index) => ({ day, index })).reverse()
  return (
    <Table
      caption={t(isWeekly ? 'table_caption_weeks' : 'table_caption')}
      rows={rows}
      rowKey={({ day }) => day}
      columns={[
        { key: 'day', label: t(isWeekly ? 'week' : 'day'), header: true, render: ({ day }) => said(day) },
        ...series.map(({ name, label, counts }) => ({
          key: name,
          label,
          align: 'end' as const,
          render: ({ index }: { day: string; index: number }) => counts[index] ?? 0,
        })),
      ]}
    />
  )
}
