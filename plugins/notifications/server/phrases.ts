import type { NoticeKind } from '../shared/api.ts'

type Text = (key: string, params?: Record<string, unknown>) => string

export interface Told {
  actorId: number
  people: number
  amount: number
  details: Record<string, unknown>
}

/** What was done, as it stands behind the name of who did it last; by itself where nobody is named. */
export function phraseOf(text: Text, kind: NoticeKind, { actorId, people, amount, details }: Told): string {
  const action = text(kind.text, { ...details, amount, count: people })
  return actorId > 0 && people > 1 ? text('notification.and_others', { action, count: people - 1, people }) : action
}

/** The same with the name in front. */
export const sentenceOf = (text: Text, name: string, phrase: string): string =>
  name === '' ? phrase : text('notification.sentence', { name, phrase })

/** Values of a notice as they are stored; what cannot be read is none. */
export function detailsIn(stored: string): Record<string, unknown> {
  try {
    return JSON.parse(stored) as Record<string, unknown>
  } catch {
    return {}
  }
}
