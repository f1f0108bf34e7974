import { escapeHtml } from '@stoa/sdk/server'

const inline = (text: string) => escapeHtml(text).replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')

/** The few kinds of blocks that seeded texts have, as the site would render them; the real renderer would take minutes for all of them. */
export function seedHtml(content: string): string {
  return content
    .split('\n\n')
    .map((block) => {
      if (block.startsWith('```')) {
        const [first = '', ...lines] = block.split('\n')
        return `<pre><code class="language-${first.slice(3)}">${escapeHtml(lines.slice(0, -1).join('\n'))}\n</code></pre>`
      }
      if (block.startsWith('- '))
        return `<ul>\n${block
          .split('\n')
          .map((line) => `<li>${inline(line.slice(2))}</li>`)
          .join('\n')}\n</ul>`
      return `<p>${inline(block)}</p>`
    })
    .join('\n')
}
