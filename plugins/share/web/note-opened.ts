import type { Api } from '@stoa/sdk/web'
import { shareCalls } from '../shared/api.ts'

const noted = new Set<string>()

/** Tells the server whose link was opened, once a page; whether that works is nobody's concern here. */
export function noteOpened(api: Api, id: string, username: string): void {
  const visit = `${id} ${username}`
  if (noted.has(visit)) return
  noted.add(visit)
  api.send(shareCalls.opened, { body: { id, username }, passingError: true, ignoreServerError: true }).catch(() => {})
}
