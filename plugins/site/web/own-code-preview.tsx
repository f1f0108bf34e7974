import { useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'

interface OwnCodePreviewProps {
  css: string
  areas: { header: string; footer: string; sidebar: string } | undefined
}

const frame = `
:host { display: block; contain: content; border: 1px solid var(--border); border-radius: var(--radius-large);
  background: var(--surface); color: var(--text); font: var(--size-2) / var(--line) var(--font); }
[data-part="header"] { padding: var(--space-2) var(--space-4); background: var(--header-surface); color: var(--header-text); font-weight: 600; }
[data-part="columns"] { display: grid; grid-template-columns: 2fr 1fr; gap: var(--space-4); padding: var(--space-4); }
[data-part="footer"] { padding: var(--space-3) var(--space-4); border-top: 1px solid var(--border); color: var(--text-muted); }
h1 { font-size: var(--size-5); line-height: var(--line-title); }
a { color: var(--accent-text); }
img { max-width: 100%; }
`

/** What names the whole page means the preview here. */
const hosted = (css: string): string => css.replace(/(^|[\s,{}>])(?::root|html|body)(?=[\s,{:.#[])/g, '$1:host')

/** A page in small with the owner's CSS and HTML. It lives in a tree of its own: nothing of it reaches the admin area. */
export function OwnCodePreview({ css, areas }: OwnCodePreviewProps) {
  const t = useText('site')
  const host = useRef<HTMLDivElement>(null)
  const words = ['site', 'post', 'text', 'tag', 'save'].map((word) => t(`themes.sample.${word}`)).join('\n')
  const { header = '', footer = '', sidebar = '' } = areas ?? {}
  useEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [frame, hosted(css)].map((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      return sheet
    })
    const part = (tag: string, name: string, ...children: (Node | string)[]) => {
      const box = document.createElement(tag)
      box.dataset.part = name
      box.append(...children)
      return box
    }
    // The server has cleaned it.
    const own = (html: string) => {
      const box = document.createElement('div')
      box.innerHTML = html
      return box
    }
    const named = (tag: string, text = '') => Object.assign(document.createElement(tag), { textContent: text })
    const [site, post, text, tag, save] = words.split('\n')
    const link = Object.assign(named('a', tag), { href: '#' })
    root.replaceChildren(
      part('header', 'header', site ?? ''),
      own(header),
      part(
        'div',
        'columns',
        part('main', 'main', named('h1', post), named('p', text), link, document.createElement('br'), named('button', save)),
        part('aside', 'aside', own(sidebar)),
      ),
      own(footer),
      part('footer', 'footer', site ?? ''),
    )
  }, [css, words, header, footer, sidebar])
  return <div ref={host} aria-hidden="true" inert />
}
