import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface SentMail {
  to: string
  subject: string
  /** Plain text part. */
  text: string
}

/** Mails that a site without SMTP has written into `<data>/mail`, oldest first. */
export function readMails(dataDir: string): SentMail[] {
  const folder = join(dataDir, 'mail')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).map((name) => join(folder, name))
  return files
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs || (a < b ? -1 : 1))
    .map((file) => parseMail(readFileSync(file, 'utf8')))
}

/** Reads as much of MIME as mails of a site use: encoded words, multipart, base64 and quoted-printable. */
export function parseMail(source: string): SentMail {
  const { headers, body } = split(source)
  const of = (name: string) => decodeWords(headers.get(name) ?? '')
  return {
    to: of('to')
      .replace(/^.*<([^>]+)>.*$/s, '$1')
      .trim(),
    subject: of('subject'),
    text: textPart(headers, body),
  }
}

function split(source: string): { headers: Map<string, string>; body: string } {
  const normal = source.replaceAll('\r\n', '\n')
  const end = normal.indexOf('\n\n')
  const head = (end < 0 ? normal : normal.slice(0, end)).replace(/\n[ \t]+/g, ' ')
  const lines = head
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const)
  return { headers: new Map(lines), body: end < 0 ? '' : normal.slice(end + 2) }
}

function textPart(headers: Map<string, string>, body: string): string {
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary === undefined) return decodeBody(headers.get('content-transfer-encoding') ?? '', body).trim()
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\n/, '')))
  const best = parts.find((part) => /text\/plain/i.test(part.headers.get('content-type') ?? '')) ?? parts[0]
  return best ? textPart(best.headers, best.body) : ''
}

function decodeBody(encoding: string, body: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  return /quoted-printable/i.test(encoding) ? decodeQuoted(body.replace(/=\n/g, '')) : body
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /[^\0-\xff]/.test(bytes) ? text : Buffer.from(bytes, 'latin1').toString('utf8')
}

/** `=?UTF-8?B?5L2g?=` in headers. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, data: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(data, 'base64').toString('utf8') : decodeQuoted(data.replaceAll('_', ' ')),
    )
}
