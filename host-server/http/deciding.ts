import type { Person } from '@stoa/sdk'
import { isCodedError } from '@stoa/sdk'
import type { PluginRow } from '@stoa/sdk/administration'
import { pluginErrors } from '@stoa/sdk/kernel'
import type { SwitchNote } from '@stoa/sdk/server'
import { acting } from '../data/site/acting.ts'

/** Carries out what somebody decided about plugins: it is written down as theirs, and what is said against it is said in their language. */
export type Deciding = <R>(person: Person | null, language: string, work: () => Promise<R>) => Promise<R>

/** What refusals are said with. */
export interface Words {
  /** Name of a plugin in the reader's language, whether it is on or not. */
  describe(slug: string, language: string): { name: string }
  /** A text of the kernel; `unknown` where no active plugin has it. */
  say(key: string, params: Record<string, unknown>, language: string, unknown: string): string
  /** Why a plugin does not run, or a new version of it. */
  rowOf(slug: string): Pick<PluginRow, 'reason' | 'problem'> | undefined
}

/** The reason of a plugin as its reader understands it. */
export function reasonIn(words: Words, { reason, problem }: Pick<PluginRow, 'reason' | 'problem'>, language: string): string {
  if (!problem) return reason
  const { slug, ...params } = problem.params
  const named = slug === undefined ? params : { ...params, slug: words.describe(String(slug), language).name }
  return words.say(problem.code, named, language, reason)
}

/** Sentences of what plugins say of a switch. */
export const notesIn = (words: Words, notes: readonly SwitchNote[], language: string): string[] =>
  notes.map(({ text, params = {} }) => words.say(text, params, language, text))

export function deciding(words: Words): Deciding {
  const nameOf = (slug: unknown, language: string) => words.describe(String(slug), language).name

  /** The same refusal with names and sentences that its reader understands. */
  function told(error: unknown, language: string): unknown {
    if (!isCodedError(error) || !error.code.startsWith('error.plugin.')) return error
    const { params, data } = error
    const { notes, ...rest } = (data ?? {}) as { notes?: SwitchNote[]; also_off?: string[]; also_on?: string[] }
    const names = [...(rest.also_off ?? []), ...(rest.also_on ?? [])].map((slug) => nameOf(slug, language))
    const sentences = notes && notesIn(words, notes, language)
    const row = error.code === pluginErrors.start_failed.code ? words.rowOf(String(params.slug)) : undefined
    Object.assign(params, {
      ...(row?.reason && { reason: reasonIn(words, row, language) }),
      ...(params.slug !== undefined && { slug: nameOf(params.slug, language) }),
      ...(names.length > 0 && params.others !== undefined && { others: names.join(', ') }),
      ...(error.code === pluginErrors.refused.code && sentences && { reason: sentences.join(' ') }),
    })
    if (sentences) Object.assign(error, { data: { ...rest, notes: sentences } })
    return error
  }

  return async (person, language, work) => {
    try {
      return await acting.as({ way: 'page', personId: person?.id ?? 0 }, work)
    } catch (error) {
      throw told(error, language)
    }
  }
}
