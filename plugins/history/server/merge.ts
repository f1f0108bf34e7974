import type { Extensions } from '@stoa/sdk'
import { diffArrays } from 'diff'
import type { RevisionText } from '../shared/api.ts'
import type { LineChange } from '../shared/line-changes.ts'
import { changesOf, lineBounds } from '../shared/line-changes.ts'

/** One of three: what only one side changed. Undefined when both did, differently. */
const oneOf = <T>(base: T, present: T, wanted: T, same: (a: T, b: T) => boolean): T | undefined => {
  if (same(wanted, present) || same(wanted, base)) return present
  return same(present, base) ? wanted : undefined
}
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Changes that touch lie in each other's way, even without a line in common: nobody knows which comes first. */
const touch = (one: LineChange, other: LineChange): boolean => one.from <= other.to && other.from <= one.to

/** Text by lines; undefined when two changes touch, or when the texts are too unlike to be compared in time. */
export function mergedLines(base: string, present: string, wanted: string): string | undefined {
  const whole = oneOf(base, present, wanted, (a, b) => a === b)
  if (whole !== undefined) return whole
  const lines = base.split('\n')
  const [ourRuns, theirRuns] = [present, wanted].map((text) => diffArrays(lines, text.split('\n'), lineBounds))
  if (!ourRuns || !theirRuns) return undefined
  const [ours, theirs] = [changesOf(ourRuns), changesOf(theirRuns)]
  const added = theirs.filter((change) => !ours.some((other) => isEqual(change, other)))
  if (added.some((change) => ours.some((other) => touch(change, other)))) return undefined
  // From behind, so that the numbers of lines before stay right.
  for (const { from, to, lines: put } of [...ours, ...added].sort((a, b) => b.from - a.from)) lines.splice(from, to - from, ...put)
  return lines.join('\n')
}

/** Values of other plugins, each as a whole. */
function mergedBags(base: Extensions = {}, present: Extensions = {}, wanted: Extensions = present): Extensions | undefined {
  const values = new Map<string, unknown>()
  for (const slug of new Set([base, present, wanted].flatMap(Object.keys))) {
    const [before, now, then] = [base, present, wanted].map((bag) => (Object.hasOwn(bag, slug) ? bag[slug] : null))
    const value = oneOf(before, now, then, isEqual)
    if (value === undefined) return undefined
    if (value !== null) values.set(slug, value)
  }
  return Object.fromEntries(values)
}

/**
 * What a suggestion makes of a text that was changed meanwhile: both changes, where they do not touch.
 * @param base what the suggestion was made from
 * @returns undefined when it does not fit any more
 */
export function merged(base: RevisionText, present: RevisionText, wanted: RevisionText): RevisionText | undefined {
  const title = oneOf(base.title, present.title, wanted.title, isEqual)
  const slug_name = oneOf(base.slug_name, present.slug_name, wanted.slug_name, isEqual)
  const names = (text: RevisionText) => text.tags.map((tag) => tag.slug_name)
  const tags = oneOf(base, present, wanted, (a, b) => isEqual(names(a), names(b)))?.tags
  const content = mergedLines(base.content, present.content, wanted.content)
  const extensions = mergedBags(base.extensions, present.extensions, wanted.extensions)
  if (title === undefined || slug_name === undefined || tags === undefined || content === undefined || !extensions) return undefined
  return { title, content, tags, slug_name, ...(present.extensions && { extensions }) }
}
