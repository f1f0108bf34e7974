import { tokensOfText } from '@stoa/sdk/server'

/** Characters that carry a sentence, not its subject; a pair with one of them stands in titles about anything. */
const FILLER = /[的了吗呢吧么是在和与我你他她它这那有没不要怎什个们就都也还很]/

/** What a title is about, in the words of the search index: Chinese falls into overlapping pairs of characters. */
export function titleWords(title: string): string[] {
  const words = [...new Set(tokensOfText(title))].filter((word) => word.length > 1)
  const telling = words.filter((word) => !FILLER.test(word))
  return telling.length > 0 ? telling : words
}
