import { describe, expect, it } from 'vitest'
import { parseQuery } from '../shared/query-syntax.ts'

describe('the search syntax', () => {
  it('takes words, phrases and tags apart', () => {
    expect(parseQuery('night "slow train" [travel] Sea')).toEqual({ words: ['night', 'sea'], phrases: ['slow train'], tags: ['travel'] })
  })

  it('knows every operator', () => {
    expect(parseQuery('user:Ana score:3 answers:2 is:experience')).toMatchObject({
      user: 'ana',
      minVotes: 3,
      minAnswers: 2,
      kind: 'experience',
      words: [],
    })
    expect(parseQuery('is:comment')).toMatchObject({ kind: 'answer' })
    expect(parseQuery('is:answer isaccepted:yes')).toMatchObject({ kind: 'answer', accepted: true })
    expect(parseQuery('hasaccepted:no views:10')).toMatchObject({ kind: 'experience', accepted: false, minViews: 10 })
    expect(parseQuery('inexperience:D1D1 car')).toMatchObject({ kind: 'answer', experience: 'D1D1', words: ['car'] })
  })

  it('reads zero as none at all', () => {
    expect(parseQuery('score:0 answers:0')).toMatchObject({ noVotes: true, noAnswers: true })
  })

  it('keeps an author and a score beside an operator for the type', () => {
    expect(parseQuery('user:ana score:1 is:answer')).toMatchObject({ user: 'ana', minVotes: 1, kind: 'answer' })
  })

  it('reads brackets, colons and quotes of Chinese keyboards', () => {
    expect(parseQuery('【旅行】 user：ana “夜班火车”')).toMatchObject({ tags: ['旅行'], user: 'ana', phrases: ['夜班火车'] })
  })

  it('searches for what is no operator as words', () => {
    expect(parseQuery('foo:bar score:many').words).toEqual(['foo', 'bar', 'score', 'many'])
    expect(parseQuery("c++ %_ ' --").words).toEqual(['c'])
  })

  it('uses five words and five tags at most', () => {
    const query = parseQuery('a b c d e f g [1][2][3][4][5][6]')
    expect(query.words).toHaveLength(5)
    expect(query.tags).toHaveLength(5)
  })
})
