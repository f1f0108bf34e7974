import type { Options } from 'sanitize-html'
import sanitizeHtml from 'sanitize-html'

type Profile = 'post' | 'comment' | 'basic'

const inline = [
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  's',
  'del',
  'ins',
  'code',
  'kbd',
  'a',
  'span',
  'sub',
  'sup',
  'mark',
  'small',
  'abbr',
  'q',
]
const blocks = [
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'hr',
  'img',
  'input',
  'section',
  'dl',
  'dt',
  'dd',
  'div',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'caption',
  'details',
  'summary',
  'figure',
  'figcaption',
  'ruby',
  'rt',
  'rp',
]
const tags: Record<Profile, string[]> = {
  post: [...inline, ...blocks],
  comment: [...inline, 'pre', 'ul', 'ol', 'li', 'blockquote'],
  basic: ['p', 'b', 'br', 'strong', 'em', 'a'],
}

/** The only way from people's text to HTML: an allow-list, links marked by where they lead, no address but http, https and mailto. */
export function sanitizerFor(siteUrl: () => string): (html: string, profile: Profile) => string {
  const a = (tagName: string, attribs: Record<string, string>) => {
    const href = attribs.href ?? ''
    return { tagName, attribs: isForeign(href, siteUrl()) ? { ...attribs, rel: 'nofollow ugc noopener' } : attribs }
  }
  const img = (tagName: string, attribs: Record<string, string>) => ({
    tagName,
    attribs: { ...attribs, alt: attribs.alt ?? '', loading: 'lazy', decoding: 'async' },
  })
  return (html, profile) =>
    sanitizeHtml(html, {
      allowedTags: tags[profile],
      allowedAttributes: {
        a: ['href', 'title', 'rel', 'id', 'class', 'aria-label'],
        img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
        input: ['type', 'checked', 'disabled'],
        ol: ['start', 'class'],
        th: ['colspan', 'rowspan', 'class', 'scope'],
        td: ['colspan', 'rowspan', 'class'],
        details: ['open'],
        li: ['id', 'class'],
        abbr: ['title'],
        ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'sup'].map((tag) => [tag, ['id', 'class']])),
        ...Object.fromEntries(['code', 'span', 'pre', 'section', 'hr'].map((tag) => [tag, ['class']])),
      },
      allowedClasses: {
        code: ['hljs', /^language-[\w+#-]+$/],
        span: [/^hljs-[\w-]+$/],
        pre: ['hljs'],
        li: ['task-list-item', 'footnote-item'],
        th: [/^align-\w+$/],
        td: [/^align-\w+$/],
        section: ['footnotes'],
        hr: ['footnotes-sep'],
        ol: ['footnotes-list'],
        sup: ['footnote-ref'],
        a: ['footnote-backref'],
      },
      allowedSchemes: ['http', 'https', 'mailto'],
      allowedSchemesByTag: { img: ['http', 'https'] },
      allowProtocolRelative: false,
      nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'svg', 'math'],
      transformTags: { a, img, '*': (tagName, attribs) => ({ tagName, attribs: withoutForeignId(attribs) }) },
      exclusiveFilter: isForeignControl,
    })
}

/** A checkbox of a task list is the only form control. */
const isForeignControl: Options['exclusiveFilter'] = ({ tag, attribs }) =>
  tag === 'input' && (attribs.type !== 'checkbox' || attribs.disabled === undefined)

/** Ids are kept with the prefixes that the parser writes: others could be targets of the page's own script and links. */
function withoutForeignId({ id, ...others }: Record<string, string>): Record<string, string> {
  return id && /^(h-|fn)/.test(id) ? { id, ...others } : others
}

/** Unsafe by the specification: `http:`, `https:` and `//`, unless it is this site. */
function isForeign(href: string, site: string): boolean {
  if (!/^\s*(https?:|\/\/)/i.test(href)) return false
  try {
    return new URL(href, site).origin !== new URL(site).origin
  } catch {
    return true
  }
}
