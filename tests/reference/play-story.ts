import { deflateSync } from 'node:zlib'
import type { Site } from '@stoa/sdk/testing'
import type { Step } from './story.ts'

/** A step with what our server said to it. */
export interface Played extends Step {
  got: { status: number; reason: string; data: unknown }
}

/** Ids of their kinds that nothing has. */
const unknownIds: Record<string, string> = {
  experience: '10010000000009999',
  answer: '10020000000009999',
  tag: '10030000000009999',
  comment: '10070000000009999',
  report: '10080000000009999',
  badge: '10090000000009999',
  user: '99999',
}
/** People in the order in which the story makes them; `<id:user#10>` is nobody. */
const MADE = 9

/** Steps that send a code of our own mails: the address it went to, and which of its mails. */
const codes: Record<string, [address: string, mail: number]> = {
  'accounts/verify-old-code': ['dora@example.com', 0],
  'accounts/verify': ['dora@example.com', -1],
  'accounts/verify-again': ['dora@example.com', -1],
  'accounts/replace': ['cai@example.com', -1],
  'accounts/replace-again': ['cai@example.com', -1],
  'accounts/mail-confirm': ['cai2@example.com', -1],
  'accounts/mail-confirm-again': ['cai2@example.com', -1],
}
const withBadToken = ['accounts/me-bad-token', 'accounts/admin-bad-token', 'experiences/post-bad-token']
/** Calls whose reply opens a session. */
const signsIn = /\/user\/(login\/email|register\/email|email\/verification|email)$/

/** Tells a story step by step over HTTP, a second apart. */
export async function* play(site: Site, steps: readonly Step[]): AsyncGenerator<Played> {
  const tokens = new Map<string, string>()
  const ids = new Map<string, string>()
  const pictures = new Map<string, string>()

  const named = (text: string): string =>
    text
      .replace(/<site>\/uploads\/(\w+)\/<file>\.png/g, (whole, source: string) => pictures.get(source) ?? whole)
      .replaceAll('<site>', site.url)
      .replaceAll('<db-file>', `${site.dataDir}/story.db`)
      .replace(/<(id|short):(\w+)#(\w+)>/g, (whole, form: string, kind: string, number: string) => {
        // Where only the short form was ever said, it stands for itself.
        const said = form === 'short' ? ids.get(whole) : undefined
        if (said !== undefined) return said
        const id = ids.get(`<id:${kind}#${number}>`)
        if (kind === 'user' && Number(number) <= MADE) return number
        if (id === undefined) return number === 'unknown' || kind === 'user' ? (unknownIds[kind] ?? whole) : whole
        return form === 'short' ? shortForm(id) : id
      })
  const filled = <T>(value: T): T => (value === undefined ? value : JSON.parse(named(JSON.stringify(value))))

  for (const step of steps) {
    site.advance(1)
    const request = filled(step.request) ?? {}
    const code = codes[step.step]
    if (code) request.body = { ...(request.body as object), code: await codeFor(site, code) }
    const [method, pattern = ''] = step.call.split(' ')
    const path = (request.path ?? pattern).replace('{type}', /down/.test(step.step) ? 'down' : 'up')
    const query = new URLSearchParams(Object.entries(request.query ?? {}).map(([key, value]) => [key, String(value)]))
    const headers = new Headers({ 'accept-language': 'en_US' })
    const token = withBadToken.includes(step.step) ? 'nonsense' : tokens.get(step.as)
    if (token) headers.set('authorization', token)
    if (!request.form) headers.set('content-type', 'application/json')
    const body = request.form ? formOf(request.form) : (request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body)))
    // Told and awarded is a moment after what happened; whoever recorded the story was slower.
    if (method === 'GET' && /\/(notification|badge)/.test(path)) await site.idle()
    const response = await fetch(`${site.url}${path}?${query}`, { method, headers, ...(body !== undefined && { body }) })
    const { reason, data } = (await response.json()) as { reason: string; data: Record<string, unknown> | string | null }
    if (response.status === 200) {
      if (typeof data === 'string' && request.form) pictures.set(request.form.source ?? '', data)
      for (const [place, id] of Object.entries(step.learns ?? {})) ids.set(id, String(at(data, place)))
      const session = data as { access_token?: string; e_mail?: string } | null
      if (signsIn.test(path) && session?.access_token) tokens.set(nameOf(session.e_mail), session.access_token)
    }
    yield { ...step, got: { status: response.status, reason, data } }
  }
}

/** The name that the story gives to the person of an address: `cai` also after a move to `cai2@…`. */
const nameOf = (email = '') => (email.split('@')[0] ?? '').replace(/\d+$/, '')

const at = (data: unknown, place: string): unknown => place.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], data)

async function codeFor(site: Site, [address, mail]: [string, number]): Promise<string> {
  const mails = (await site.mail()).filter(({ to }) => to === address)
  return decodeURIComponent(/code=([\w%.~-]+)/.exec(mails.at(mail)?.text ?? '')?.[1] ?? 'no-mail')
}

/** Kind and number of a long id, each in base 62 from 100 on, least digit first. */
function shortForm(id: string): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const base62 = (value: number): string => (value < 62 ? (digits[value] as string) : (digits[value % 62] as string) + base62(Math.floor(value / 62)))
  return base62(Number(id.slice(1, 4)) + 100) + base62(Number(id.slice(4)) + 100)
}

function formOf(form: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    const file = /^<file ([\w.]+), (\d+) bytes>$/.exec(value)
    if (file) data.set(name, new File([new Uint8Array(contentOf(file[1] as string, Number(file[2])))], file[1] as string))
    else data.set(name, value)
  }
  return data
}

const contentOf = (name: string, bytes: number): Buffer => (/^(dot|big)\.png$/.test(name) ? picture(bytes) : Buffer.alloc(bytes, 'x'))

/** A PNG of about so many bytes: a small picture, and a comment to fill it up. */
function picture(bytes: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), content])
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const
    ends[0].writeUInt32BE(content.length)
    ends[1].writeUInt32BE(crc32(typed))
    return Buffer.concat([ends[0], typed, ends[1]])
  }
  const size = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
  const rows = deflateSync(Buffer.alloc(8 * (8 * 3 + 1)))
  const filler = chunk('teXt', Buffer.alloc(Math.max(0, bytes - 100), 'A'))
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', size), filler, chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function crc32(data: Buffer): number {
  let value = 0xffffffff
  for (const byte of data) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
