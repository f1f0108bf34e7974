import { useKernel } from '@stoa/sdk/kernel/web'
import { formatDateTime, languageTag, useText } from '@stoa/sdk/web'
import { useSyncExternalStore } from 'react'

interface TimeProps {
  /** Unix seconds; 0 and less shows nothing. */
  at: number
  /** `relative` (default) becomes a date after 30 days. */
  style?: 'relative' | 'date' | 'datetime'
  /** Says what happened then: languages put the time before or after it. */
  phrase?: (time: string) => string
  className?: string
}

/**
 * A moment as its distance to now, from the server's HTML on, so that nothing moves when the page comes to life. Where no clock
 * is known it is a date in the site's zone and language.
 */
export function Time({ at, style = 'relative', phrase, className }: TimeProps) {
  const kernel = useKernel()
  const t = useText('core')
  const language = kernel.useLanguage()
  const zone = kernel.useTimeZone()
  const minute = useSyncExternalStore(onMinute, presentMinute, () => Math.floor((kernel.renderedAt ?? 0) / 60))
  if (!(at > 0)) return null
  const near = style === 'relative' && minute > 0 ? distance(at, minute * 60, language, t('kit.just_now')) : undefined
  const time = near ?? formatDateTime(at, language, zone, style === 'datetime' ? 'datetime' : 'date')
  return (
    // The two sides may carry different editions of the world's date formats.
    <time
      className={className}
      dateTime={new Date(at * 1000).toISOString()}
      title={formatDateTime(at, language, zone)}
      suppressHydrationWarning
    >
      {phrase?.(time) ?? time}
    </time>
  )
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const MONTH_SECONDS = 30 * 86_400
const formats = new Map<string, Intl.RelativeTimeFormat>()

/** `3 hours ago`, in the language's own words; undefined beyond 30 days. @param now unix seconds, exact to the minute */
function distance(at: number, now: number, language: string, justNow: string): string | undefined {
  const away = at - now
  if (Math.abs(away) >= MONTH_SECONDS) return undefined
  const format = formats.get(language) ?? new Intl.RelativeTimeFormat(languageTag(language), { numeric: 'auto' })
  formats.set(language, format)
  for (const [unit, seconds] of steps) if (Math.abs(away) >= seconds) return format.format(Math.trunc(away / seconds), unit)
  return justNow
}

/** One clock for all times of a page. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function onMinute(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const one of listeners) one()
  }, 30_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const presentMinute = () => Math.floor(Date.now() / 60_000)
