import type { SiteMeasures } from '@stoa/sdk/administration'
import type { Matter } from '../shared/api.ts'

/** Work that waits for longer than this does not get done. */
const LATE_SECONDS = 600
const PLUGINS = '/admin/installed-plugins'

/** What the site itself has noticed. */
export function ownMatters({ plugins, jobs, events }: SiteMeasures): Matter[] {
  const found: Matter[] = []
  const broken = plugins.filter(({ state, failing }) => failing || state === 'failed' || state === 'quarantined')
  if (broken.length > 0) found.push({ text: 'dashboard.matter.plugins', params: { count: broken.length }, tone: 'danger', path: PLUGINS })
  if (Math.max(jobs.seconds, events.seconds) > LATE_SECONDS)
    found.push({
      text: 'dashboard.matter.late',
      params: { count: Math.floor(Math.max(jobs.seconds, events.seconds) / 60) },
      tone: 'danger',
    })
  if (jobs.dead > 0) found.push({ text: 'dashboard.matter.dead', params: { count: jobs.dead }, tone: 'warning' })
  return found
}
