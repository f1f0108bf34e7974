import { describe, expect, it } from 'vitest'
import { createMarkdown } from '../server/markdown.ts'

const markdown = createMarkdown(() => 'https://site.example')

describe('rendering Markdown', () => {
  it('lets no script, handler, style or foreign address scheme through', () => {
    const html = markdown.render(
      '<script>alert(1)</script><img src=x onerror=alert(1)><b style="color:red" onclick="x()">b</b> <a href="javascript:alert(1)" id="content">x</a> <iframe src="/"></iframe><svg><a href="x"></a></svg> [y](data:text/html,x)',
    )
    expect(html).not.toMatch(/script|onerror|onclick|style|javascript:|iframe|svg|id=/)
  })

  it('marks links that leave the site and leaves its own alone', () => {
    expect(markdown.render('https://other.example/a')).toContain('href="https://other.example/a" rel="nofollow ugc noopener"')
    expect(markdown.render('[x](//other.example)')).toContain('x')
    expect(markdown.render('[x](//other.example)')).not.toContain('href')
    expect(markdown.render('https://site.example/a and [b](/b)')).not.toContain('rel=')
  })

  it('knows tables, strike, task lists, footnotes, hard breaks and heading ids', () => {
    expect(markdown.render('|a|b|\n|-|-:|\n|1|2|')).toContain('<td class="align-right">2</td>')
    expect(markdown.render('~~a~~\nb')).toBe('<p><s>a</s><br />\nb</p>')
    expect(markdown.render('- [x] done')).toContain('<li class="task-list-item"><input type="checkbox" disabled checked /> done</li>')
    expect(markdown.render('a[^1]\n\n[^1]: note')).toContain('class="footnotes"')
    expect(markdown.render('## 你好 World\n## 你好 World')).toMatch(/id="h-你好-world".*id="h-你好-world-2"/s)
  })

  it('colours code by classes and escapes what it does not know', () => {
    expect(markdown.render('```ts\nconst a = 1\n```')).toContain('<span class="hljs-keyword">const</span>')
    expect(markdown.render('```nope\n<b>\n```')).toContain('&lt;b&gt;')
  })

  it('turns names into profile links where asked, outside of words, links and code', () => {
    const mentions = { mentions: true }
    expect(markdown.render('Hi @ana_m.', mentions)).toBe('<p>Hi <a href="/users/ana_m">@ana_m</a>.</p>')
    expect(markdown.render('a@b.com `@ana` [@ana](/x)', mentions)).not.toContain('/users/')
    expect(markdown.render('Hi @ana')).toBe('<p>Hi @ana</p>')
  })

  it('leaves little for profiles', () => {
    expect(markdown.render('# h\n\n**b** ![x](/y.png)', { profile: 'basic' })).toBe('h\n<p><strong>b</strong> </p>')
  })
})

describe('texts made from posts', () => {
  it('excerpts plain text by characters', () => {
    expect(markdown.excerpt('<p>a &lt;b&gt; &amp; c</p><p>二</p>')).toBe('a <b> & c 二')
    expect(markdown.excerpt('<p>一二三四五</p>', 3)).toBe('一二三…')
  })

  it('makes path parts: pinyin, no accents, at most 150 bytes, never empty', () => {
    expect(markdown.urlTitle('用 Rust 写服务：经验')).toBe('yong-rust-xie-fu-wu-jing-yan')
    expect(markdown.urlTitle('Café, crème!')).toBe('cafe-creme')
    expect(markdown.urlTitle('长'.repeat(200)).length).toBeLessThanOrEqual(150)
    expect(markdown.urlTitle('🎉 !?')).toBe('topic')
  })
})
