import type { MarkdownIt } from 'markdown-it'

/** `- [ ] open` and `- [x] done` become items with a disabled checkbox. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const first = token.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open' ? token.children?.[0] : undefined
      const item = tokens[index - 2]
      const box = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null
      if (!first || !box || item?.type !== 'list_item_open') return
      item.attrJoin('class', 'task-list-item')
      first.content = first.content.slice(box[0].length)
      const input = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
        type: 'html_inline',
        content: `<input type="checkbox" disabled${box[1] === ' ' ? '' : ' checked'}> `,
      })
      token.children?.unshift(input)
    })
  })
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

/** Headings get an id from their text, prefixed so that it can shadow nothing of the page. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.push('heading_ids', ({ tokens }) => {
    const seen = new Map<string, number>()
    tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return
      const text = (tokens[index + 1]?.children ?? [])
        .filter((child) => child.type === 'text' || child.type === 'code_inline')
        .map((child) => child.content)
        .join('')
      const slug =
        text
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
