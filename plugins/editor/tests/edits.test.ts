import { describe, expect, it } from 'vitest'
import type { Action, Edit, FieldState } from '../web/edits.ts'
import { codeBlock, continueList, editFor, pictureMarkdown } from '../web/edits.ts'

const samples = {
  bold: 'bold',
  italic: 'italic',
  code: 'code',
  heading: 'Heading',
  link: 'text',
  column: 'Column',
  cell: 'cell',
  note: 'note',
}

/** A field written with `[` and `]` around its selection. */
const field = (marked: string): FieldState => ({
  text: marked.replace(/[⟦⟧]/g, ''),
  start: marked.indexOf('⟦'),
  end: marked.indexOf('⟧') - 1,
})
const after = ({ text }: FieldState, edit: Edit): string => {
  const result = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${result.slice(0, edit.start)}⟦${result.slice(edit.start, edit.end)}⟧${result.slice(edit.end)}`
}
const press = (action: Action, marked: string) => after(field(marked), editFor(action, field(marked), samples))

describe('the toolbar', () => {
  it('marks what is selected and takes the mark away again', () => {
    expect(press('bold', 'a ⟦word⟧ here')).toBe('a **⟦word⟧** here')
    expect(press('bold', 'a **⟦word⟧** here')).toBe('a ⟦word⟧ here')
    expect(press('bold', 'a ⟦**word**⟧ here')).toBe('a ⟦word⟧ here')
  })

  it('leaves spaces at the edge of a selection outside of the mark', () => {
    expect(press('italic', '⟦一个词 ⟧后面')).toBe('_⟦一个词⟧_ 后面')
  })

  it('puts a block of code in its language, in a fence that the code does not end', () => {
    const put = (language: string, marked: string) => after(field(marked), codeBlock(field(marked), samples, language))
    expect(put('js', 'so: ⟦let a⟧')).toBe('so: \n\n```js\n⟦let a⟧\n```')
    expect(put('', '⟦⟧')).toBe('```⟦⟧\ncode\n```')
    expect(put('markdown', '⟦```js\nlet a\n```⟧')).toBe('````markdown\n⟦```js\nlet a\n```⟧\n````')
  })

  it('makes tasks of lists and lists of tasks, spoilers beside quotes, and numbers footnotes', () => {
    expect(press('tasks', '⟦- a\nb⟧')).toBe('⟦- [ ] a\n- [ ] b⟧')
    expect(press('tasks', '- [x] a⟦⟧')).toBe('a⟦⟧')
    expect(press('bullets', '- [x] a⟦⟧')).toBe('- a⟦⟧')
    expect(press('spoiler', 'a⟦⟧')).toBe('>! a⟦⟧')
    expect(press('spoiler', '>! a⟦⟧')).toBe('a⟦⟧')
    expect(press('quote', '>! a⟦⟧')).toBe('> >! a⟦⟧')
    expect(press('footnote', 'one⟦⟧ two')).toBe('one[^1] two\n\n[^1]: ⟦note⟧')
    expect(press('footnote', 'one[^1] two⟦⟧\n\n[^1]: x\n')).toBe('one[^1] two[^2]\n\n[^1]: x\n[^2]: ⟦note⟧')
  })

  it('offers a word to write over where nothing is selected', () => {
    expect(press('bold', 'x⟦⟧')).toBe('x**⟦bold⟧**')
    expect(press('heading', '⟦⟧')).toBe('## ⟦Heading⟧')
  })

  it('fences code of several lines and keeps an empty line around it', () => {
    expect(press('code', 'see\n⟦let a\nlet b⟧\nend')).toBe('see\n\n```⟦⟧\nlet a\nlet b\n```\n\nend')
  })

  it('turns lines into a list and back', () => {
    expect(press('numbers', '⟦one\ntwo⟧')).toBe('⟦1. one\n2. two⟧')
    expect(press('numbers', '⟦1. one\n2. two⟧')).toBe('⟦one\ntwo⟧')
    expect(press('quote', 'a\nb⟦⟧c')).toBe('a\n> bc⟦⟧')
  })

  it('makes a link of words or of an address', () => {
    expect(press('link', '⟦here⟧')).toBe('[here](⟦https://⟧)')
    expect(press('link', '⟦https://example.com⟧')).toBe('[⟦text⟧](https://example.com)')
  })

  it('puts a table on its own lines', () => {
    expect(press('table', 'text⟦⟧')).toContain('text\n\n| ⟦Column⟧ | Column |\n| --- | --- |\n')
  })
})

describe('the Enter key', () => {
  const enter = (marked: string) => {
    const edit = continueList(field(marked))
    return edit && after(field(marked), edit)
  }

  it('goes on with a list or a quote', () => {
    expect(enter('- one⟦⟧')).toBe('- one\n- ⟦⟧')
    expect(enter('9. nine⟦⟧')).toBe('9. nine\n10. ⟦⟧')
    expect(enter('- [x] done⟦⟧')).toBe('- [x] done\n- [ ] ⟦⟧')
    expect(enter('> said⟦⟧')).toBe('> said\n> ⟦⟧')
  })

  it('ends a list at an empty item', () => {
    expect(enter('- one\n- ⟦⟧')).toBe('- one\n⟦⟧')
  })

  it('is left alone elsewhere', () => {
    expect(enter('plain⟦⟧')).toBeNull()
  })
})

it('names a picture without characters that would end it', () => {
  expect(pictureMarkdown('a[1].png', '/x.png')).toBe('![a 1](/x.png)')
})
