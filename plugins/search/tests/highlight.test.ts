import { describe, expect, it } from 'vitest'
import { highlight, nearFirstHit } from '../web/highlight.ts'

const marked = (text: string, query: string) =>
  highlight(text, query)
    .map(({ text: piece, isHit }) => (isHit ? `<${piece}>` : piece))
    .join('')

describe('marking hits', () => {
  it('marks whole words, whatever their case', () => {
    expect(marked('Train by train, trainers', 'train')).toBe('<Train> by <train>, trainers')
  })

  it('marks Chinese words inside of sentences', () => {
    expect(marked('我在家里做手冲咖啡', '咖啡')).toBe('我在家里做手冲<咖啡>')
  })

  it('marks phrases over their punctuation', () => {
    expect(marked('the slow, slow train', '"slow train"')).toBe('the slow, <slow train>')
  })

  it('leaves operators and markup alone', () => {
    expect(marked('<b>user</b>', 'user:ana [b]')).toBe('<b>user</b>')
    expect(marked('a.b', '.')).toBe('a.b')
  })
})

it('begins an excerpt shortly before its first hit', () => {
  const long = `${'many words before it '.repeat(8)}a slow train`
  expect(nearFirstHit(long, 'train')).toMatch(/^…\w.*a slow train$/)
  expect(nearFirstHit(long, 'train').length).toBeLessThan(60)
  expect(nearFirstHit('a slow train', 'train')).toBe('a slow train')
  expect(nearFirstHit(long, 'zeppelin')).toBe(long)
})
