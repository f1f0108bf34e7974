/** What a mail says, in parts. Everything is plain text, as people wrote it: laying it out escapes it. */
export interface Letter {
  subject: string
  /** Language and direction of the frame, such as `zh_CN`. */
  language: string
  /** Beside the subject in lists of mails; the first paragraph where it is left out. */
  preview?: string
  heading: string
  blocks: readonly Block[]
  button?: Link
  /** Below the button, smaller. */
  note?: string
  footer: {
    /** Name and address of the site. */
    site: Link
    /** Why somebody gets it. */
    why?: string
    links?: readonly Link[]
  }
}

export interface Link {
  text: string
  /** Absolute, of http or https; other addresses are not linked. */
  url: string
}

export type Block =
  | { paragraph: string }
  | { title: string }
  /** One of several things a mail is about: what happened, to what, and some words of it. */
  | { entry: { title: string; url: string; text?: string; about?: string } }

const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const webAddress = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined
}

/** Of programs that follow the reader's colours; others show the light ones, or invert them. */
const DARK = {
  page: 'background:#14161b',
  card: 'background:#1d2027;border-color:#343944',
  text: 'color:#e8eaef',
  muted: 'color:#a9b0bd',
  link: 'color:#9db4ff',
  button: 'background:#9db4ff;color:#0d1530',
  rule: 'border-color:#343944',
}
const LIGHT = {
  page: 'background:#f3f4f7',
  card: 'background:#ffffff;border:1px solid #dfe2e9',
  text: 'color:#1a1d24',
  muted: 'color:#565d6b',
  link: 'color:#1d3fbf',
  button: 'background:#1d3fbf;color:#ffffff',
  rule: 'border-top:1px solid #dfe2e9',
}
type Part = keyof typeof LIGHT

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif"
const darkSheet = Object.entries(DARK)
  .map(([part, style]) => `.${part}{${style.replaceAll(/(;|$)/g, '!important$1')}}`)
  .join('')

/** Class for the dark, style for the light: most programs keep only one of them. */
const look = (part: Part, style = ''): string => `class="${part}" style="${LIGHT[part]};${style}"`

/** The mail as HTML for mail programs: tables, styles at the elements, nothing fetched from anywhere. */
export function htmlOf(letter: Letter): string {
  const { language, subject, heading, blocks, button, note, footer } = letter
  const lang = language.replace('_', '-')
  const preview = letter.preview ?? blocks.map((block) => ('paragraph' in block ? block.paragraph : '')).find(Boolean) ?? ''
  const paragraph = (text: string, part: Part, style: string) =>
    `<p ${look(part, `margin:0 0 16px;${style}`)} dir="auto">${escapeHtml(text)}</p>`
  const anchor = ({ text, url }: Link, part: Part, style = '') => {
    const href = webAddress(url)
    return href ? `<a href="${escapeHtml(href)}" ${look(part, style)}>${escapeHtml(text)}</a>` : escapeHtml(text)
  }
  const content = blocks.map((block) => {
    if ('paragraph' in block) return paragraph(block.paragraph, 'text', 'font-size:16px;line-height:1.6')
    if ('title' in block) return `<h2 ${look('text', 'margin:24px 0 4px;font-size:17px;line-height:1.4')}>${escapeHtml(block.title)}</h2>`
    const { title, url, text, about } = block.entry
    return [
      `<div ${look('rule', 'padding:12px 0')}>`,
      about ? `<p ${look('muted', 'margin:0 0 4px;font-size:14px;line-height:1.5')} dir="auto">${escapeHtml(about)}</p>` : '',
      `<p ${look('text', 'margin:0;font-size:16px;line-height:1.5;font-weight:600;overflow-wrap:anywhere')} dir="auto">${anchor({ text: title, url }, 'link', 'text-decoration:none')}</p>`,
      text
        ? `<p ${look('text', 'margin:4px 0 0;font-size:15px;line-height:1.55;overflow-wrap:anywhere')} dir="auto">${escapeHtml(text)}</p>`
        : '',
      '</div>',
    ].join('')
  })
  const address = button && webAddress(button.url)
  const pressed =
    button && address
      ? `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td ${look('button', 'border-radius:8px')}>${anchor(button, 'button', 'display:inline-block;padding:12px 22px;border-radius:8px;font-size:16px;line-height:20px;font-weight:600;text-decoration:none')}</td></tr></table>`
      : ''
  const small = 'margin:0 0 8px;font-size:13px;line-height:1.6;overflow-wrap:anywhere'
  const links = (footer.links ?? []).map((link) => anchor(link, 'muted', 'text-decoration:underline')).join(' &#183; ')
  return `<!doctype html>
<html lang="${escapeHtml(lang)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${darkSheet}}@media (max-width:480px){.inner{padding:24px 20px!important}}</style></head>
<body ${look('page', `margin:0;padding:0;${FONT}`)}>
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview.slice(0, 160))}</div>
<table role="presentation" ${look('page', 'width:100%')} width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:576px;width:100%;text-align:start;${FONT}">
<tr><td ${look('text', 'padding:0 4px 12px;font-size:15px;font-weight:700')} dir="auto">${anchor(footer.site, 'text', 'text-decoration:none')}</td></tr>
<tr><td ${look('card', 'border-radius:12px')}><div class="inner" style="padding:32px">
<h1 ${look('text', 'margin:0 0 16px;font-size:22px;line-height:1.35;overflow-wrap:anywhere')} dir="auto">${escapeHtml(heading)}</h1>
${content.join('\n')}
${pressed}${button && address ? `<p ${look('muted', small)} dir="ltr">${anchor({ text: address, url: address }, 'muted')}</p>` : ''}
${note ? `<p ${look('muted', `${small};margin-bottom:0`)} dir="auto">${escapeHtml(note)}</p>` : ''}
</div></td></tr>
<tr><td style="padding:16px 4px 0">
${footer.why ? `<p ${look('muted', small)}>${escapeHtml(footer.why)}</p>` : ''}
${links ? `<p ${look('muted', small)}>${links}</p>` : ''}
</td></tr></table></td></tr></table></body></html>
`
}

/** The same as plain text. */
export function textOf({ heading, blocks, button, note, footer }: Letter): string {
  const line = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const content = blocks.map((block) => {
    if ('paragraph' in block) return line(block.paragraph)
    if ('title' in block) return `== ${line(block.title)} ==`
    const { title, url, text, about } = block.entry
    return [about, title, text]
      .filter(Boolean)
      .map((part) => line(part as string))
      .concat(url)
      .join('\n')
  })
  const end = [footer.why, `${footer.site.text}: ${footer.site.url}`, ...(footer.links ?? []).map(({ text, url }) => `${text}: ${url}`)]
  const parts = [line(heading), ...content, ...(button ? [`${line(button.text)}:\n${button.url}`] : []), ...(note ? [line(note)] : [])]
  return `${parts.join('\n\n')}\n\n-- \n${end.filter(Boolean).join('\n')}\n`
}
