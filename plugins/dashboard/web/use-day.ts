import { formatDateTime, useLanguage } from '@stoa/sdk/web'

/** A day such as `2026-11-23`, in the reader's words. */
export function useDay(): (day: string) => string {
  const language = useLanguage()
  return (day) => formatDateTime(Date.parse(`${day}T00:00:00Z`) / 1000, language, 'UTC', 'date')
}
