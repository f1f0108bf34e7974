import { describe, expect, it } from 'vitest'
import { merged, mergedLines } from '../server/merge.ts'
import type { DiffRow } from '../web/compare.ts'
import { compare, wordsOf } from '../web/compare.ts'

/** The same numbers in each run: an error is found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = [
  'night train',
  '夜车去海边',
  '坐',
  ' ',
  'the ',
  '\n',
  '\n\n',
  '```\n',
  '```js\n',
  'const a = 1\n',
  '~~~\n',
  '耳塞',
  '。',
  '🚂',
  '\t',
  'é',
  '- ',
]
/** A text, and one that was made of it by some insertions, deletions and replacements. */
function pair(seed: number): [string, string] {
  const next = numbers(seed)
  const some = () => pieces[next(pieces.length)] as string
  const before = Array.from({ length: next(40) }, some)
  const after = [...before]
  for (let times = next(6); times > 0; times -= 1) after.splice(next(after.length + 1), next(3), ...Array.from({ length: next(3) }, some))
  return [before.join(''), after.join('')]
}
const seeds = Array.from({ length: 400 }, (_, index) => index + 1)

/** The older or the newer text of a comparison. */
function sideOf(rows: readonly DiffRow[], side: 'before' | 'after'): string {
  const other = side === 'before' ? 'added' : 'removed'
  return rows
    .filter(({ kind }) => kind !== other)
    .map(({ parts }) =>
      parts
        .filter(({ kind }) => kind !== other)
        .map(({ text }) => text)
        .join(''),
    )
    .join('\n')
}

const drawn = (rows: DiffRow[]) =>
  rows.flatMap(({ parts }) => parts.filter(({ kind }) => kind !== 'same').map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`))

describe('a comparison of two texts', () => {
  it('holds both of them, whatever they are', () => {
    for (const seed of seeds) {
      const [before, after] = pair(seed)
      const rows = compare(before, after)
      expect(sideOf(rows, 'before'), String(seed)).toBe(before)
      expect(sideOf(rows, 'after'), String(seed)).toBe(after)
    }
  })

  it('finds nothing between a text and itself', () => {
    for (const seed of seeds.slice(0, 50)) {
      const [text] = pair(seed)
      expect(new Set(compare(text, text).map(({ kind }) => kind))).toEqual(new Set(['same']))
    }
  })

  it('says which words differ, in Chinese too', () => {
    expect(drawn(compare('We slept on the night train.', 'We slept well on the train.'))).toEqual(['+well ', '-night '])
    expect(drawn(compare('我们坐夜车去海边，带上耳塞。', '我们坐火车去海边，带上耳塞。'))).toEqual(['-夜车', '+火车'])
    expect(wordsOf('我们坐火车去海边')).toContain('火车')
  })

  it('says which lines differ in code', () => {
    const code = (line: string) => `See:\n\n\`\`\`js\nconst a = 1\n${line}\n\`\`\`\n`
    const rows = compare(code('run(a)'), code('run(a, 2)'))
    expect(drawn(rows)).toEqual(['-run(a)', '+run(a, 2)'])
    expect(rows.filter(({ kind }) => kind !== 'same').every((row) => row.code)).toBe(true)
  })

  it('shows lines that have little in common as two', () => {
    expect(compare('Nothing of this stays.', '完全是另一句话').map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })

  it('ends in time for texts as long as posts can be that have nothing in common', () => {
    const next = numbers(7)
    const long = () => Array.from({ length: 16_000 }, () => `${next(50)}${next(10) === 0 ? '\n' : ' '}`).join('')
    const lines = () => Array.from({ length: 20_000 }, () => `${next(9)}`).join('\n')
    for (const [before, after] of [
      [long(), long()],
      [lines(), lines()],
    ] as [string, string][]) {
      const began = performance.now()
      const rows = compare(before, after)
      expect(performance.now() - began).toBeLessThan(6000)
      expect(sideOf(rows, 'after')).toBe(after)
    }
  })
})

describe('two changes of one text', () => {
  const text = (content: string, title = 'Title', tags: string[] = []) => ({
    title,
    content,
    tags: tags.map((name) => ({ slug_name: name, display_name: name })),
    slug_name: '',
  })

  it('are both kept where they do not touch', () => {
    expect(mergedLines('a\nb\nc\nd', 'A\nb\nc\nd', 'a\nb\nc\nD')).toBe('A\nb\nc\nD')
    expect(merged(text('a', 'One'), text('b', 'One'), text('a', 'Two', ['x']))).toEqual(text('b', 'Two', ['x']))
  })

  it('are both kept where they are about values of two plugins, or about a value and the text', () => {
    const bag = (content: string, extensions: Record<string, unknown>) => ({ ...text(content), extensions })
    const base = bag('a', { place: { city: 'Lyon' }, price: { amount: 3 } })
    const present = bag('b', { place: { city: 'Lyon' }, price: { amount: 4 } })
    expect(merged(base, present, bag('a', { place: { city: 'Nantes' }, price: { amount: 3 } }))).toEqual(
      bag('b', { place: { city: 'Nantes' }, price: { amount: 4 } }),
    )
    expect(merged(base, present, bag('a', { price: { amount: 3 }, day: '1' }))).toEqual(bag('b', { price: { amount: 4 }, day: '1' }))
    expect(merged(base, present, bag('a', { place: { city: 'Lyon' } })), 'one changed what the other took away').toBeUndefined()
    expect(merged(text('a'), present, bag('a', { place: { city: 'Nantes' } })), 'of a base without values nobody knows').toBeUndefined()
  })

  it('are one where they are the same', () => {
    expect(mergedLines('a\nb\nc\nd', 'A\nb\nc\nd', 'A\nb\nc\nD')).toBe('A\nb\nc\nD')
  })

  it('do not fit where they touch', () => {
    expect(mergedLines('a\nb\nc', 'a\nB\nc', 'a\nX\nc')).toBeUndefined()
    expect(mergedLines('a\nb', 'a\n1\nb', 'a\n2\nb')).toBeUndefined()
    expect(merged(text('a', 'One'), text('a', 'Two'), text('a', 'Three'))).toBeUndefined()
  })

  it('give the one that was made when the other is none, whatever the texts', () => {
    for (const seed of seeds) {
      const [base, changed] = pair(seed)
      expect(mergedLines(base, base, changed), String(seed)).toBe(changed)
      expect(mergedLines(base, changed, base), String(seed)).toBe(changed)
      expect(mergedLines(base, changed, changed), String(seed)).toBe(changed)
    }
  })

  it('give the same whichever came first', () => {
    let both = 0
    for (const seed of seeds) {
      const [base, one] = pair(seed)
      const lines = base.split('\n')
      const other = [...lines.slice(0, -1), `${lines.at(-1)} and more`].join('\n')
      const result = mergedLines(base, one, other)
      expect(mergedLines(base, other, one), String(seed)).toBe(result)
      if (result !== undefined && one !== base) both += 1
    }
    expect(both).toBeGreaterThan(20)
  })
})
