/** Display of numbers and times. Source: specification, section 9. Pure, so that server and browser write the same. */

const small = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Below 10,000 with separators, below a million as `12.3k`, above as `1.2m`; anything that is no number is `0`. */
export function formatCount(value: unknown): string {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) return '0'
  const size = Math.abs(number)
  if (size < 10_000) return small.format(number)
  if (size < 1_000_000) return `${shorten(number / 1_000)}k`
  return `${shorten(number / 1_000_000)}m`
}

/** Cut, not rounded: 999,999 is 999.9k. */
function shorten(value: number): string {
  return (Math.trunc(value * 10) / 10).toFixed(1)
}

/** Text key of the kernel's namespace and its count: `time.less_hour`, `time.hours`, `time.days`. */
interface Elapsed {
  unit: 'less_hour' | 'hours' | 'days'
  count: number
}

/** Rough elapsed time: days from one day on, hours from one hour on, else "less than an hour". */
export function elapsed(fromSeconds: number, nowSeconds: number): Elapsed {
  const seconds = Math.max(0, nowSeconds - fromSeconds)
  if (seconds >= 86_400) return { unit: 'days', count: Math.floor(seconds / 86_400) }
  if (seconds >= 3_600) return { unit: 'hours', count: Math.floor(seconds / 3_600) }
  return { unit: 'less_hour', count: 0 }
}

/** `zh_CN` of the protocol → `zh-CN` of the web. */
export const languageTag = (language: string): string => language.replace('_', '-')

/** Made once: one takes as long as drawing ten times (measured: an eighth of a page). A page has one language and one zone. */
const dates = new Map<string, Intl.DateTimeFormat>()
const MOST_DATES = 100

function dateFormat(language: string, timeZone: string, style: 'date' | 'datetime'): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${style}`
  let format = dates.get(key)
  if (!format) {
    const options: Intl.DateTimeFormatOptions = {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      ...(style === 'datetime' ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
    }
    try {
      format = new Intl.DateTimeFormat(languageTag(language), { ...options, timeZone })
    } catch {
      format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
    }
    if (dates.size >= MOST_DATES) dates.clear()
    dates.set(key, format)
  }
  return format
}

/** Date and time in a language and zone of the site; an unknown zone counts as UTC. */
export const formatDateTime = (seconds: number, language: string, timeZone: string, style: 'date' | 'datetime' = 'datetime'): string =>
  dateFormat(language, timeZone, style).format(seconds * 1000)
