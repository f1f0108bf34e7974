import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** Features, in the words of the specification. A kernel that names one knows it. */
const FEATURES = [
  'experience',
  'experiences',
  'answer',
  'answers',
  'comment',
  'comments',
  'vote',
  'votes',
  'voted',
  'voting',
  'upvote',
  'downvote',
  'captcha',
  'reputation',
  'synonym',
  'synonyms',
  'bookmark',
  'bookmarks',
  'follower',
  'followers',
  'reaction',
  'reactions',
  'connector',
  'moderation',
]

/** Prefix of every call of the protocol; the one place where a word of the list has another meaning. */
const PROTOCOL = /\/answer(?=\/|$)/g

/** Colours and classes of highlighted code: a comment there is one of a program. */
const HIGHLIGHTING = /(--code-|hljs-)[\w-]+/g

/** Comments, then strings, then identifiers: what comes first at a place wins, so that a word in a comment is none in code. */
const TOKENS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*/g

/** A string with spaces is a sentence for people, in which words have their everyday meaning. */
const isSentence = (token: string): boolean => /^['"`]/.test(token) && /\s/.test(token)
/** What a function does to a request or a dialog. */
const VERB = 'answer'

/** `maySeeVotes`, `votes.tally`, `VOTE_KINDS` → single words in lower case. */
function wordsOf(source: string): Set<string> {
  const tokens = source.match(TOKENS)?.filter((token) => !token.startsWith('/') && !isSentence(token) && token !== VERB) ?? []
  const parts = tokens.flatMap((token) =>
    token
      .replace(PROTOCOL, '')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z]+/),
  )
  return new Set(parts.map((part) => part.toLowerCase()))
}

describe('the kernel', () => {
  const files = globSync('{core,host-server,sdk}/**/*.{ts,tsx,css,js,mjs}', { cwd: ROOT }).filter(
    (file) => !/node_modules|\/docs\/|\.test\.tsx?$/.test(file),
  )

  it('is read', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  it('names no feature', () => {
    const named = files.flatMap((file) => {
      const words = wordsOf(readFileSync(join(ROOT, file), 'utf8').replace(HIGHLIGHTING, ''))
      return FEATURES.filter((feature) => words.has(feature)).map((feature) => `${file}: ${feature}`)
    })
    expect(named).toEqual([])
  })
})
