import { useText } from '@stoa/sdk/web'
import { useEffect, useLayoutEffect, useRef } from 'react'

interface ThemePreviewProps {
  /** Tokens of the theme. */
  css: string
  color: string
  header: string
  scheme: 'light' | 'dark'
}

/** Rules that speak of the document, said of the root of a shadow tree. */
const hosted = (css: string): string =>
  css
    .replace(/:root((?::not\([^)]*\)|:lang\([^)]*\)|\[[^\]]*\])+)/g, ':host($1)')
    .replace(/:root/g, ':host')
    .replace(/(^|[{},;]\s*)(\[(?:data-scheme|data-navbar|lang)[^\]]*\])/gm, '$1:host($2)')

/** The kit's own tokens, as the page has them. */
function kitTokens(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => {
    try {
      return flat([...sheet.cssRules])
    } catch {
      return []
    }
  })
  return rules.flatMap((rule) => (rule instanceof CSSLayerBlockRule && rule.name === 'tokens' ? [rule.cssText] : [])).join('\n')
}

/** Joined sheets keep each file in a rule of its own. */
const flat = (rules: CSSRule[]): CSSRule[] => rules.flatMap((rule) => (rule instanceof CSSMediaRule ? flat([...rule.cssRules]) : [rule]))

const page = `
:host { display: block; contain: content; border: 1px solid var(--border); border-radius: var(--radius-large); background: var(--surface);
  color: var(--text); font: var(--size-1) / var(--line) var(--font); }
header { display: flex; align-items: center; gap: var(--space-2); padding: var(--space-2) var(--space-4); background: var(--header-surface);
  color: var(--header-text); border-bottom: 1px solid var(--header-border); font-weight: 600; }
header span { flex: 1; }
i { padding: 2px var(--space-3); border-radius: var(--radius); background: var(--header-field); font-style: normal; font-weight: 400; }
article { padding: var(--space-3) var(--space-4); border-bottom: 1px solid var(--border); }
b { display: block; font-size: var(--size-4); line-height: var(--line-title); }
p { margin: var(--space-1) 0; color: var(--text-muted); }
u { padding: 1px var(--space-2); border-radius: var(--radius); background: var(--accent-soft); color: var(--accent-text); text-decoration: none; }
footer { display: flex; gap: var(--space-2); padding: var(--space-3) var(--space-4); background: var(--surface-sunken); }
s { padding: var(--space-1) var(--space-3); border-radius: var(--radius); background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600; }
s + s { background: var(--surface-raised); color: var(--text); border: 1px solid var(--border-control); }
`

/** A page in small, in a theme that need not be on, with the colour and header that are being chosen. */
export function ThemePreview({ css, color, header, scheme }: ThemePreviewProps) {
  const t = useText('site')
  const host = useRef<HTMLDivElement>(null)
  const words = ['site', 'search', 'post', 'text', 'tag', 'save', 'cancel'].map((word) => t(`themes.sample.${word}`)).join('\n')
  // Before the first paint: a preview that came after it would push the page down.
  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const sheets = [kitTokens(), css, page].map((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(hosted(text))
      return sheet
    })
    root.adoptedStyleSheets = sheets
    const [site, search, post, text, tag, save, cancel] = words.split('\n')
    const tree: [tag: string, ...parts: [tag: string, text?: string][]][] = [
      ['header', ['span', site], ['i', search]],
      ['article', ['b', post], ['p', text], ['u', tag]],
      ['footer', ['s', save], ['s', cancel]],
    ]
    root.replaceChildren(
      ...tree.map(([name, ...parts]) => {
        const box = document.createElement(name)
        for (const [part, content = ''] of parts) box.append(Object.assign(document.createElement(part), { textContent: content }))
        return box
      }),
    )
  }, [css, words])
  useEffect(() => host.current?.style.setProperty('--primary', color), [color])
  return <div ref={host} data-scheme={scheme} data-navbar={header} aria-hidden="true" />
}
