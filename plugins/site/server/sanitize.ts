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
  comment: [...inline, 'pre', 'ul', 'ol', 'li', 'blockquote', 'details'],
  basic: ['p', 'b', 'br', 'strong', 'em', 'a'],
}

/**
 * The only way from people's text to HTML: an allow-list, links marked by where they lead, no address but http, https and mailto.
 * @param addresses that the site has or had: what they lead to is named by its path, so that it is found wherever the site moves
 */
export function sanitizerFor(addresses: () => readonly string[]): (html: string, profile: Profile) => string {
  const a = (tagName: string, attribs: Record<string, string>) => {
    if (attribs.href === undefined) return { tagName, attribs }
    const href = onSite(attribs.href, addresses())
    return { tagName, attribs: { ...attribs, href, ...(isForeign(href) && { rel: 'nofollow ugc noopener' }) } }
  }
  const img = (tagName: string, attribs: Record<string, string>) => ({
    tagName,
    attribs: {
      ...attribs,
      ...sizeOf(attribs),
      src: onSite(attribs.src ?? '', addresses()),
      alt: attribs.alt ?? '',
      loading: 'lazy',
      decoding: 'async',
    },
  })
  const h1 = (_: string, attribs: Record<string, string>) => ({ tagName: 'h2', attribs })
  return (html, profile) =>
    sanitizeHtml(html, {
      allowedTags: tags[profile],
      allowedAttributes: {
        a: ['href', 'title', 'rel', 'id', 'class', 'aria-label'],
        img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
        input: ['type', 'checked', 'disabled', 'aria-label'],
        ol: ['start', 'class'],
        th: ['colspan', 'rowspan', 'class', 'scope'],
        td: ['colspan', 'rowspan', 'class'],
        details: ['open', 'class'],
        li: ['id', 'class'],
        abbr: ['title'],
        ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6', 'sup'].map((tag) => [tag, ['id', 'class']])),
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
        details: ['spoiler'],
      },
      allowedSchemes: ['http', 'https', 'mailto'],
      allowedSchemesByTag: { img: ['http', 'https'] },
      allowProtocolRelative: false,
      nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'svg', 'math'],
      transformTags: { a, img, h1, '*': (tagName, attribs) => ({ tagName, attribs: withoutForeignId(attribs) }) },
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

/** Uploads carry their size in their names: the text below stands still while they come, also where somebody wants them smaller. */
function sizeOf({ src = '', width = '', height = '' }: Record<string, string>): Record<string, string> {
  const [, ...named] = /\/uploads\/[^?#]*-(\d{1,5})x(\d{1,5})\.\w+$/.exec(src) ?? []
  const [full, tall] = named.map(Number)
  if (!full || !tall) return {}
  const wide = /^\d{1,5}$/.test(width) ? Number(width) : /^\d{1,5}$/.test(height) ? (Number(height) * full) / tall : full
  return { width: String(Math.round(wide)), height: String(Math.round((wide * tall) / full)) }
}

function onSite(address: string, own: readonly string[]): string {
  const site = own.find((one) => address === one || address.startsWith(`${one}/`))
  return site === undefined ? address : address.slice(site.length) || '/'
}

/** Unsafe by the specification: `http:`, `https:` and `//`. */
const isForeign = (href: string): boolean => /^\s*(https?:|\/\/)/i.test(href)
