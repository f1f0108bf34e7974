import { describe, expect, it } from 'vitest'
import { hotScore } from '../server/store/hot-score.ts'

const now = 1_800_000_000
const quiet = { views: 0, answers: 0, votes: 0, answerVotes: 0, createdAt: now, updatedAt: now }

describe('heat of an experience', () => {
  it('is nothing for a post nobody has looked at', () => {
    expect(hotScore(quiet, now)).toBe(0)
  })

  it('grows with views, answers and votes', () => {
    const viewed = hotScore({ ...quiet, views: 50 }, now)
    const voted = hotScore({ ...quiet, views: 50, answers: 2, votes: 5 }, now)
    expect(viewed).toBeGreaterThan(0)
    expect(voted).toBeGreaterThan(viewed)
  })

  it('cools down, more slowly when somebody comes back to it', () => {
    const old = { ...quiet, views: 50, createdAt: now - 86_400, updatedAt: now - 86_400 }
    expect(hotScore(old, now)).toBeLessThan(hotScore({ ...quiet, views: 50 }, now))
    expect(hotScore({ ...old, updatedAt: now }, now)).toBeGreaterThan(hotScore(old, now))
  })

  it('is never below nothing', () => {
    expect(hotScore({ ...quiet, answers: 3, votes: -10 }, now)).toBe(0)
  })
})
