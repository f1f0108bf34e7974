import { describe, expect, it } from 'vitest'
import { escapeHtml, excerptAround, plainText } from '../server/html.ts'

describe('the plain text of rendered HTML', () => {
  it('keeps words whole in which some letters are marked, and parts those of two blocks', () => {
    expect(plainText('<p>坐<strong>夜车</strong>去海边，睡得<em>很好</em>。</p><ul><li>耳塞</li><li>毯子</li></ul>')).toBe(
      '坐夜车去海边，睡得很好。 耳塞 毯子',
    )
  })

  it('is what was escaped', () => {
    const text = `a < b && "c" > 'd'`
    expect(escapeHtml(text)).not.toMatch(/[<>"']/)
    expect(plainText(`<p>${escapeHtml(text)}</p>`)).toBe(text)
  })
})

describe('an excerpt', () => {
  const html = `<p>${'before '.repeat(50)}</p><p>the <em>Needle</em> itself</p><p>${'behind '.repeat(50)}</p>`

  it('stands around the first of the words that occurs, however it is written', () => {
    const excerpt = excerptAround(html, ['missing', 'behind', 'needle'])
    expect(excerpt).toMatch(/^….*before the Needle itself behind.*…$/)
    expect(excerpt.length).toBe(202)
  })

  it('is the beginning where none of the words occurs', () => {
    expect(excerptAround(html, ['missing'])).toMatch(/^before before.*…$/)
    expect(excerptAround('<p>short</p>', [])).toBe('short')
  })
})
