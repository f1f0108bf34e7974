import { useText } from '@stoa/sdk/web'
import { useId } from 'react'
import styles from './dashboard.module.css'
import { useDay } from './use-day.ts'

interface BarChartProps {
  days: readonly string[]
  series: { label: string; counts: readonly number[] }
  /** Days that all of it covers: bars are weeks when there are fewer of them. */
  length: number
}

const HEIGHT = 100
/** Of a place, the part that a bar takes. */
const WIDTH = 0.72

/** One bar for each day, or week. What it shows is said in its name; the numbers stand in the table beside it. */
export function BarChart({ days, series: { label, counts }, length }: BarChartProps) {
  const t = useText('dashboard')
  const said = useDay()
  const id = useId()
  const most = Math.max(...counts)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const day = said(days[counts.indexOf(most)] ?? '')
  const name =
    total === 0
      ? t('chart_none', { label, days: length })
      : t(days.length < length ? 'chart_weeks' : 'chart', { label, count: total, days: length, day, most })
  const scale = HEIGHT / Math.max(1, most)
  return (
    <figure className={styles.chart}>
      <figcaption id={id} className={styles.chartHead}>
        <span className={styles.chartLabel}>{label}</span>
        <span className={styles.label}>{t('total', { count: total, days: length })}</span>
      </figcaption>
      <svg className={styles.bars} viewBox={`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={name}>
        {counts.map((count, index) => (
          <rect
            key={days[index]}
            className={styles.bar}
            x={index + (1 - WIDTH) / 2}
            width={WIDTH}
            y={HEIGHT - count * scale}
            height={count * scale}
          />
        ))}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{said(days[0] ?? '')}</span>
        <span>{t('most', { count: most })}</span>
        <span>{said(days.at(-1) ?? '')}</span>
      </div>
    </figure>
  )
}
