import type { Host } from '@stoa/sdk/server'
import type { AuditAction, AuditChange, AuditValue, StaffAct } from '../shared/api.ts'
import { actionPoint } from '../shared/api.ts'

const MOST_CHANGES = 50
const LONGEST = 200

type Words = Pick<Host, 'contributions' | 'texts'>
export interface ChangeView {
  field: string
  from: string
  to: string
}

const isAction = (value: unknown): value is AuditAction =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as AuditAction).name === 'string' &&
  typeof (value as AuditAction).text === 'string'

/** What staff of active plugins can do: name → key of its text. What a manifest says may be anything; what is no action is passed over. */
export const knownActions = (host: Words): Map<string, string> =>
  new Map(
    host
      .contributions(actionPoint)
      .flatMap(({ value }) => value as unknown)
      .filter(isAction)
      .map(({ name, text }) => [name, text]),
  )

const inEach = <T>({ texts }: Words, of: (language: string) => T): string =>
  JSON.stringify(Object.fromEntries(texts.languages().map(({ code }) => [code, of(code)])))

/** What was done, in all languages; the object's place stays open. */
export const phrasesOf = (host: Words, key: string): string =>
  inEach(host, (language) => host.texts.text(key, { object: '{{object}}' }, language).slice(0, LONGEST))

/** What changed, in all languages. */
export function changesIn(host: Words, changes: readonly AuditChange[], texts?: StaffAct['texts']): string {
  if (changes.length === 0) return '{}'
  return inEach(host, (language): ChangeView[] => {
    const text = (key: string, params?: Record<string, string | number>) =>
      (texts?.get(key)?.[language] ?? host.texts.text(key, params, language)).slice(0, LONGEST)
    const say = (value: AuditValue): string => {
      if (value === null) return ''
      if (typeof value === 'object') return text(value.text, value.params)
      return typeof value === 'boolean' ? text(value ? 'audit.yes' : 'audit.no') : String(value).slice(0, LONGEST)
    }
    return changes.slice(0, MOST_CHANGES).map(({ field, from, to }) => ({ field: text(field), from: say(from), to: say(to) }))
  })
}

/** What was stored for a language: else for the site's, English, or any. */
export function inLanguage<T>(stored: string, languages: readonly string[]): T | undefined {
  const words = JSON.parse(stored) as Record<string, T>
  for (const language of [...languages, 'en_US']) if (words[language] !== undefined) return words[language]
  return Object.values(words)[0]
}
