import { describe, expect, it } from 'vitest'
import { compile, findIn, problemOf } from '../server/words.ts'

const found = (list: string, text: string) => findIn(compile(list), text)

describe('a word list', () => {
  it.each([
    ['发票', '代开发票请联系', '发票'],
    ['发票', '发 票', undefined],
    ['spam', 'Buy SPAM now', 'spam'],
    ['spam', 'a spammer', undefined],
    ['spam', '买spam吗', 'spam'],
    ['spam', 'ｓｐａｍ', 'spam'],
    ['spam', 'sp\u200bam', 'spam'],
    ['cheap watches', 'cheap\nwatches!', 'cheap watches'],
    ['C++', 'I like c++.', 'C++'],
    ['/wa+tch(es)?/', 'waaaatches', '/wa+tch(es)?/'],
    ['/^only/', 'not only', undefined],
    ['one\n\n  two  ', 'two', 'two'],
  ])('%s in %j finds %s', (list, text, expected) => {
    expect(found(list, text)).toBe(expected)
  })

  it('is refused with the line that is wrong', () => {
    expect(problemOf('fine\n/(/')).toEqual({ key: 'reviewer_basic.bad_pattern', line: 2 })
    expect(problemOf('x'.repeat(101))).toEqual({ key: 'reviewer_basic.too_long', line: 1 })
    expect(problemOf('x\n'.repeat(10_001))?.key).toBe('reviewer_basic.too_many')
    expect(problemOf('/x/\n'.repeat(51))?.line).toBe(51)
    expect(problemOf('发票\nspam\n/wa+tch/')).toBeUndefined()
  })

  it('takes no long time, whatever the pattern and the text', () => {
    const words = Array.from({ length: 9_900 }, (_, index) => `word${index}`).join('\n')
    const list = compile(`${words}\n/(a+)+$/\n/(x|xx)+y/`)
    const began = performance.now()
    expect(findIn(list, `${'a'.repeat(30_000)}! ${'x'.repeat(30_000)}`)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
