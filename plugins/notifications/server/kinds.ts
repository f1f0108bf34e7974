import type { Host } from '@stoa/sdk/server'
import type { NoticeKind } from '../shared/api.ts'
import { frequencies, kindPoint, sources } from '../shared/api.ts'

type Contributed = readonly { value: NoticeKind | NoticeKind[] }[]
const known = new WeakMap<Contributed, Map<string, NoticeKind>>()

const isOneOf = (words: readonly unknown[], value: unknown): boolean => value === undefined || words.includes(value)

/** What a manifest says may be anything: a kind that is none is passed over. */
function isKind(value: unknown): value is NoticeKind {
  if (typeof value !== 'object' || value === null) return false
  const { name, text, label, list, tab, gathers, source, usual, once } = value as Record<string, unknown>
  return (
    typeof name === 'string' &&
    name.length <= 100 &&
    typeof text === 'string' &&
    (label === undefined || typeof label === 'string') &&
    isOneOf(['inbox', 'achievement'], list) &&
    isOneOf(['posts', 'votes', 'invites'], tab) &&
    isOneOf(['unread', 'always', 'never'], gathers) &&
    isOneOf(sources, source) &&
    isOneOf(frequencies, usual) &&
    (once === undefined || typeof once === 'string')
  )
}

/** All kinds that active plugins contribute, by name. */
export function noticeKinds(host: Pick<Host, 'contributions'>): Map<string, NoticeKind> {
  const contributed: Contributed = host.contributions(kindPoint)
  let kinds = known.get(contributed)
  if (!kinds) {
    kinds = new Map(
      contributed
        .flatMap(({ value }) => value)
        .filter(isKind)
        .map((kind) => [kind.name, kind]),
    )
    known.set(contributed, kinds)
  }
  return kinds
}
