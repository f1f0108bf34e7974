import { describe, expect, it } from 'vitest'
import { linkedPosts } from '../server/store/links.ts'
import { linkPostNumbers } from '../server/writing/link-post-numbers.ts'
import { countLinks, postErrors, width } from '../server/writing/text-rules.ts'

describe('rules of title and text', () => {
  it('take four Chinese characters for a title, but not three letters', () => {
    expect(postErrors('夜车去海边', '带上耳塞就好').title).toBeUndefined()
    expect(postErrors('Abc', 'some content').title).toBe('experience.title_short')
  })

  it('count characters, not code units', () => {
    expect(postErrors('😀'.repeat(150), 'some content').title).toBeUndefined()
    expect(postErrors('t'.repeat(151), 'some content').title).toBe('experience.title_long')
    expect(width('海 a')).toBe(4)
  })

  it('do not take blanks for a text', () => {
    expect(postErrors('A good title', '          ').content).toBe('experience.content_empty')
  })

  it('count the addresses in a text', () => {
    expect(countLinks('a https://a.example b http://b.example')).toBe(2)
  })
})

describe('links between posts', () => {
  const id = '10010000000000007'

  it('turn #id into a link outside of code', () => {
    expect(linkPostNumbers(`see #${id}, not \`#${id}\``)).toBe(`see [#${id}](/experiences/${id}), not \`#${id}\``)
    expect(linkPostNumbers(`\`\`\`\n#${id}\n\`\`\``)).not.toContain('](')
  })

  it('are read from addresses of this site only', () => {
    const html = `<a href="/experiences/${id}">a</a><a href="https://site.example/experiences/D1D1/slug">b</a><a href="https://other.example/experiences/E1D1">c</a>`
    expect(linkedPosts(html, 'https://site.example')).toEqual([7, 1])
  })
})
