import type { Dialect, FullText } from '@stoa/sdk/server'
import { fullText } from '@stoa/sdk/server'

/** Full text of documents by their id. Title, text and what never changes by itself (kind, author, tags, what it belongs to) are asked at once. */
export const textIndexOf = (dialect: Dialect, recent?: number): FullText => fullText('search__text', dialect, recent)

/** Marks of a document in the full text; conditions that only look at these need no other table. */
export const marks = {
  kind: (kind: string) => `kind:${kind}`,
  author: (personId: number) => `author:${personId}`,
  tag: (slug: string) => `tag:${slug.toLowerCase()}`,
  parent: ({ kind, n }: { kind: string; n: number }) => `${kind}:${n}`,
}
