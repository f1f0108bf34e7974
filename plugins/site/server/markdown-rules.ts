import type { MarkdownIt, StateBlock, Token } from 'markdown-it'

/** Longest name of a checkbox, in characters. */
const LABEL = 100

/** `- [ ] open` and `- [x] done` become items with a disabled checkbox, which is called what the item says. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const first = token.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open' ? token.children?.[0] : undefined
      const item = tokens[index - 2]
      const box = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null
      if (!first || !box || item?.type !== 'list_item_open') return
      item.attrJoin('class', 'task-list-item')
      first.content = first.content.slice(box[0].length)
      const label = md.utils.escapeHtml(textOf(token).trim().slice(0, LABEL))
      const input = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
        type: 'html_inline',
        content: `<input type="checkbox" disabled${box[1] === ' ' ? '' : ' checked'} aria-label="${label}"> `,
      })
      token.children?.unshift(input)
    })
  })
}

/** What is read of a paragraph or a heading, code included. */
const textOf = ({ children }: Token): string =>
  (children ?? []).map((child) => (child.type === 'text' || child.type === 'code_inline' ? child.content : '')).join('')

/** Spoilers within spoilers: each is parsed once more. */
const DEEPEST_SPOILER = 3

/** Lines that begin with `>!` are folded away until somebody opens them, which needs no script. What they hold is Markdown. */
export function spoilers(md: MarkdownIt): void {
  const rule = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
    const env = state.env as { spoilers?: number }
    const depth = env.spoilers ?? 0
    if (depth >= DEEPEST_SPOILER || !isSpoiler(state, startLine)) return false
    if (silent) return true
    let end = startLine + 1
    while (end < endLine && isSpoiler(state, end)) end++
    const text = state.getLines(startLine, end, state.blkIndent, false).replace(/^\s*>! ?/gm, '')
    state.push('spoiler_open', 'details', 1).attrs = [['class', 'spoiler']]
    env.spoilers = depth + 1
    state.md.block.parse(text, state.md, state.env, state.tokens)
    env.spoilers = depth
    state.push('spoiler_close', 'details', -1)
    state.line = end
    return true
  }
  md.block.ruler.before('blockquote', 'spoiler', rule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

/** Indented by less than code. */
function isSpoiler({ bMarks, tShift, sCount, blkIndent, src }: StateBlock, line: number): boolean {
  const indent = (sCount[line] as number) - blkIndent
  return indent >= 0 && indent < 4 && src.startsWith('>!', (bMarks[line] as number) + (tShift[line] as number))
}

/** Where pictures have no place, each is a link to itself. */
export function picturesAsLinks(md: MarkdownIt): void {
  md.renderer.rules.image = (tokens, index) => {
    const picture = tokens[index] as Token
    const address = String(picture.attrGet('src'))
    return `<a href="${md.utils.escapeHtml(address)}">${md.utils.escapeHtml(picture.content || address)}</a>`
  }
}

/** Column alignment as a class: a strict content policy refuses style attributes. */
export function tableClasses(md: MarkdownIt): void {
  md.core.ruler.push('table_classes', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'th_open' && token.type !== 'td_open') continue
      const side = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1]
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
      if (side) token.attrSet('class', `align-${side}`)
    }
  })
}

/**
 * Headings get an id from their text, prefixed so that it can shadow nothing of the page. The page has a first heading already: where a text
 * begins with that level, all of its headings stand one below.
 */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.push('heading_ids', ({ tokens }) => {
    const seen = new Map<string, number>()
    const isTooHigh = tokens.some(({ tag }) => tag === 'h1')
    tokens.forEach((token, index) => {
      if (isTooHigh && /^h[1-5]$/.test(token.tag)) token.tag = `h${Number(token.tag[1]) + 1}`
      if (token.type !== 'heading_open') return
      const slug =
        textOf(tokens[index + 1] as Token)
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .replace(/^-|-$/g, '')
          .slice(0, 60) || 'section'
      const count = (seen.get(slug) ?? 0) + 1
      seen.set(slug, count)
      token.attrSet('id', `h-${slug}${count > 1 ? `-${count}` : ''}`)
    })
  })
}

/** `@name` becomes a link to the profile, outside of words, links and code. */
export function mentions(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'mention', (state, silent) => {
    if (state.src[state.pos] !== '@' || state.linkLevel > 0) return false
    if (state.pos > 0 && /[\w.@/-]/.test(state.src[state.pos - 1] as string)) return false
    const name = /^@([A-Za-z0-9._-]{2,30})/.exec(state.src.slice(state.pos, state.pos + 31))?.[1]?.replace(/[._-]+$/, '')
    if (!name || name.length < 2) return false
    if (!silent) {
      state.push('link_open', 'a', 1).attrs = [['href', `/users/${name}`]]
      state.push('text', '', 0).content = `@${name}`
      state.push('link_close', 'a', -1)
    }
    state.pos += name.length + 1
    return true
  })
}
