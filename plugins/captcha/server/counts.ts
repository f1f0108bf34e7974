import { networkOf } from '@stoa/sdk/server'
import type { CaptchaAction } from '../shared/api.ts'

export interface Caller {
  person: { id: number } | null
  ip: string
}

/** Counters that are kept; the one used longest ago makes room. Who floods them with addresses is asked sooner by the limits of the kernel. */
const MOST = 20_000

interface Count {
  calls: number
  /** Unix seconds of the last one. */
  last: number
}

/** How often somebody did something lately. In memory of the node: limits hold without it, a captcha only comes before them. */
export function createCounts(now: () => number) {
  const counts = new Map<string, Count>()

  function keysOf({ action, by, field }: CaptchaAction, { person, ip }: Caller, fields: Record<string, unknown>): string[] {
    const key = by === 'person' && person ? `${action} person ${person.id}` : `${action} network ${networkOf(ip)}`
    const named = field === undefined ? undefined : fields[field]
    return typeof named === 'string' && named !== '' ? [key, `${action} ${field} ${named.trim().toLowerCase().slice(0, 300)}`] : [key]
  }
  const find = ({ seconds }: CaptchaAction, key: string): Count | undefined => {
    const count = counts.get(key)
    return count && count.last + seconds > now() ? count : undefined
  }

  return {
    isOver: (entry: CaptchaAction, caller: Caller, fields: Record<string, unknown>): boolean =>
      entry.after === 0 ||
      keysOf(entry, caller, fields).some((key) => {
        const count = find(entry, key)
        return count !== undefined && (count.calls >= entry.after || count.last + (entry.pause ?? 0) > now())
      }),
    add(entry: CaptchaAction, caller: Caller, fields: Record<string, unknown>): void {
      if (entry.after === 0) return
      for (const key of keysOf(entry, caller, fields)) {
        const calls = (find(entry, key)?.calls ?? 0) + 1
        counts.delete(key)
        counts.set(key, { calls, last: now() })
      }
      for (const oldest of counts.keys()) {
        if (counts.size <= MOST) break
        counts.delete(oldest)
      }
    },
    clear(entry: CaptchaAction, caller: Caller, fields: Record<string, unknown>): void {
      for (const key of keysOf(entry, caller, fields)) counts.delete(key)
    },
  }
}
