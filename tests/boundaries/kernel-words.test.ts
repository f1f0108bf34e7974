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
  'tag',
  'tags',
  'theme',
  'themes',
  'search',
  'registration',
  'registrations',
]

/** Prefix of every call of the protocol; the one place where a word of the list has another meaning. */
const PROTOCOL = /\/answer(?=\/|$)/g

/** Colours and classes of highlighted code: a comment there is one of a program. */
const HIGHLIGHTING = /(--code-|hljs-)[\w-]+/g

/** Name of the browser's own for the colour of its bars. */
const META = /theme-color/g

/** Comments, then strings, then identifiers: what comes first at a place wins, so that a word in a comment is none in code. */
const TOKENS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*/g

/** Identifiers of the web's own interfaces: a part of an address, an entity tag, a language tag, the name of an element. */
const STANDARD =
  /^(search|searchParams|URLSearchParams|useSearchParams|createSearchParams|tag|tagOf|onTag|textsTag|languageTag|tagName|Tag)$/

/** Where such a word is another's: the protocol's site reply, kinds of fields and keys of an API document, an icon set, full-text search itself. */
const ELSEWHERE: Record<string, string[]> = {
  'sdk/web/page-facts.ts': ['theme', 'registrations'],
  'sdk/pages/site-facts.ts': ['theme', 'registrations'],
  'core/tests/site.ts': ['theme', 'registrations'],
  'sdk/web/tests/taps.test-d.tsx': ['registrations'],
  'sdk/shared/manifest.ts': ['tag'],
  'sdk/administration/plugin-call-schemas.ts': ['tag'],
  'sdk/ui/form.tsx': ['tag', 'tags'],
  'sdk/testing/contract-tests.ts': ['tags'],
  'sdk/tools/docs-plugin-json.ts': ['tag', 'themes'],
  'host-server/http/openapi.ts': ['tags'],
  'host-server/pages/html.ts': ['tags'],
  'sdk/ui/icon-set.ts': ['tag', 'tags', 'search', 'bookmark'],
  'sdk/server/full-text.ts': ['search'],
  'sdk/server/tokens-of-text.ts': ['search'],
  'sdk/shared/share-keys.ts': ['tag'],
  'sdk/ui/tests/kit.fixture.tsx': ['tag', 'tags', 'search'],
  'sdk/ui/base.css': ['search'],
  'sdk/web/router.tsx': ['search'],
}

/** A string with spaces is a sentence for people, in which words have their everyday meaning. */
const isSentence = (token: string): boolean => /^['"`]/.test(token) && /\s/.test(token)
/** What a function does to a request or a dialog. */
const VERB = 'answer'

/** `maySeeVotes`, `votes.tally`, `VOTE_KINDS` → single words in lower case. */
function wordsOf(source: string): Set<string> {
  const tokens =
    source.match(TOKENS)?.filter((token) => !token.startsWith('/') && !isSentence(token) && token !== VERB && !STANDARD.test(token)) ?? []
  const parts = tokens.flatMap((token) =>
    token
      .replace(PROTOCOL, '')
      .replace(/\$\{([^}]*)\}/g, (_, code: string) =>
        code
          .split(/\W+/)
          .filter((word) => !STANDARD.test(word))
          .join(' '),
      )
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z]+/),
  )
  return new Set(parts.map((part) => part.toLowerCase()))
}

describe('the kernel', () => {
  const files = globSync('{core,host-server,sdk}/**/*.{ts,tsx,css,js,mjs}', { cwd: ROOT }).filter(
    (file) => !/node_modules|\/docs\/|^sdk\/legacy\/|\.test\.tsx?$/.test(file),
  )

  it('is read', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  it('names no feature', () => {
    const named = files.flatMap((file) => {
      const words = wordsOf(readFileSync(join(ROOT, file), 'utf8').replace(HIGHLIGHTING, '').replace(META, ''))
      return FEATURES.filter((feature) => words.has(feature) && !ELSEWHERE[file]?.includes(feature)).map((feature) => `${file}: ${feature}`)
    })
    expect(named).toEqual([])
  })
})
