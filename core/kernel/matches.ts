import type { TapCondition } from '@stoa/sdk/manifest'

/** What a condition is held against; a member that is not there matches no condition that names it. */
export interface TapSubject {
  path?: string
  method?: string
  status?: number
  reason?: string
  fields?: Record<string, string>
}

/** Members are combined by "and", the values of one by "or". */
export function matches({ path, method, status, reason, field }: TapCondition, subject: TapSubject): boolean {
  return (
    one(path, (pattern) => fits(pattern.toLowerCase(), subject.path?.toLowerCase())) &&
    one(method, (name) => name === subject.method) &&
    one(status, (code) => code === subject.status) &&
    one(reason, (pattern) => fits(pattern, subject.reason)) &&
    one(field, (pattern) => Object.keys(subject.fields ?? {}).some((name) => fits(pattern, name)))
  )
}

/** Whether any of the values is met; nothing asked is met too. */
const one = <T>(asked: T | T[] | undefined, isMet: (value: T) => boolean): boolean =>
  asked === undefined || [asked].flat().some((value) => isMet(value as T))

const fits = (pattern: string, text: string | undefined): boolean =>
  text !== undefined && (pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern)
