import { describe, expect, it } from 'vitest'
import { readCookie } from '../../sdk/pages/preferences.ts'

describe('a cookie', () => {
  it('is read by its whole name', () => {
    expect(readCookie('not_visit=1; visit=2; visits=3', 'visit')).toBe('2')
    expect(readCookie('visits=3', 'visit')).toBeUndefined()
    expect(readCookie(undefined, 'visit')).toBeUndefined()
  })

  it('is decoded, and stays as it was sent where it cannot be', () => {
    expect(readCookie('visit=a%20b', 'visit')).toBe('a b')
    expect(readCookie('visit=%', 'visit')).toBe('%')
    expect(readCookie('visit=%E4%B8', 'visit')).toBe('%E4%B8')
  })

  it('may be called as a member of every object is', () => {
    expect(readCookie('a=1', 'constructor')).toBeUndefined()
    expect(readCookie('__proto__=1; constructor=2', 'constructor')).toBe('2')
  })
})
