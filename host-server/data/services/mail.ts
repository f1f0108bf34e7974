import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail, MailMessage, MailRefusal, SiteInfo, SmtpSettings } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { writeAtomically } from '../../shared/write-atomically.ts'
import type { Jobs } from '../jobs/jobs.ts'

const mailJob = job<MailMessage>('kernel.mail')

/** What others do with mails on their way; the kernel runs its hooks here once it has plugins. */
export interface MailWatch {
  before(message: MailMessage): Promise<MailMessage>
  tried(message: MailMessage, refusal: MailRefusal | undefined): Promise<void>
}

export interface KernelMail extends Mail {
  watch(by: MailWatch): void
  /** Deletes mails that were written as files long ago, or are too many. */
  clean(): Promise<void>
  close(): Promise<void>
}

interface MailOptions {
  folder: string
  smtpUrl: string | undefined
  jobs: Jobs
  /** False: only queues, for another process to send. */
  sends: boolean
  settings: { get(slug: string): object; set(slug: string, values: Record<string, unknown>): Promise<void> }
  site: Pick<SiteInfo, 'url' | 'name'>
  now: () => number
  log: (level: 'info' | 'warn', message: string, details: object) => void
}

const KEEP_DAYS = 30
const KEEP_FILES = 2000
/** As `deliver` names them: by time. */
const MAIL_FILE = /^(\d{8})T.*\.eml$/

const LINK = /https?:\/\/[^\s<>"')\]]+/g

const defaults: SmtpSettings = {
  from_email: '',
  from_name: '',
  smtp_host: '',
  smtp_port: 465,
  encryption: '',
  smtp_username: '',
  smtp_password: '',
  smtp_authentication: true,
}

const TIMEOUT_MS = 10_000
/** Between two lines of a server that is at work. */
const SILENCE_MS = 30_000

function transportOf(smtp: SmtpSettings, smtpUrl: string | undefined) {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, dnsTimeout: TIMEOUT_MS, socketTimeout: SILENCE_MS }
  if (smtpUrl) return createTransport({ url: smtpUrl, ...timeouts })
  if (!smtp.smtp_host) return undefined
  return createTransport({
    ...timeouts,
    host: smtp.smtp_host,
    port: smtp.smtp_port,
    secure: smtp.encryption === 'SSL',
    requireTLS: smtp.encryption === 'TLS',
    // Nobody asked for encryption: one whose certificate nobody can check is better than none.
    ...(smtp.encryption === '' && { tls: { rejectUnauthorized: false } }),
    ...(smtp.smtp_authentication && { auth: { user: smtp.smtp_username, pass: smtp.smtp_password } }),
  })
}

/** One address and nothing beside it. */
const ADDRESS = /^[^\s\p{C}@<>()[\],;:"\\]+@[^\s\p{C}@<>()[\],;:"\\]+$/u

/** A header of one line, whatever somebody called themselves or their post. */
const line = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()

/** What nodemailer says of an error, and of the server's answer where there was one. */
interface SmtpError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

function refusalOf(error: unknown): MailRefusal {
  const { code = '', command = '', response, responseCode = 0, message } = error as SmtpError
  const isFinal = ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode >= 500
  return { reason: line(response ?? message), at: placeOf(code, command, message), isFinal }
}

function placeOf(code: string, command: string, message: string): MailRefusal['at'] {
  if (code === 'EAUTH' || code === 'ENOAUTH' || command.startsWith('AUTH')) return 'login'
  if (code === 'EMESSAGE') return 'message'
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender' : 'receiver'
  return code === 'ETLS' || /certificate|\b(TLS|SSL)\b|wrong version number/i.test(message) ? 'encryption' : 'server'
}

/** MIME text whose parts are not encoded, so that a person (or `grep`) reads address and link in the file as they are. */
async function readable(message: object): Promise<Buffer> {
  const root = new MailComposer({ ...message, newline: 'unix' }).compile()
  for (const node of [root, ...root.childNodes]) {
    if (/^text\//.test(String(node.getHeader('Content-Type') ?? node.contentType ?? ''))) node.getTransferEncoding = () => '8bit'
  }
  return await root.build()
}

/** Mail through the job queue: by `SMTP_URL`, else by the setting `smtp`, else as files. */
export function createMail({ folder, smtpUrl, jobs, sends, settings, site, now, log }: MailOptions): KernelMail {
  let watching: MailWatch | undefined
  const smtpNow = (): SmtpSettings => ({ ...defaults, ...settings.get('smtp') })

  function envelopeOf(message: MailMessage, smtp: SmtpSettings) {
    const host = URL.canParse(site.url) ? new URL(site.url).hostname : 'localhost'
    const { to, subject, text, html, unsubscribe, id } = message
    return {
      // As an object: a text is read as a list of receivers.
      to: { name: '', address: to },
      from: { name: line(smtp.from_name || site.name), address: smtp.from_email || `noreply@${host}` },
      subject: line(subject),
      text,
      ...(html !== undefined && { html }),
      date: new Date(),
      ...(id !== undefined && { messageId: `<${encodeURIComponent(id)}@${host}>` }),
      headers: {
        // Whoever is away answers people, not machines.
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': { prepared: true, value: `<${new URL(unsubscribe).href}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    }
  }

  /** @returns undefined when the server has taken it */
  async function pass(message: MailMessage, smtp: SmtpSettings, url: string | undefined): Promise<MailRefusal | undefined> {
    if (!ADDRESS.test(message.to)) return { reason: `${line(message.to)} is no address`, at: 'receiver', isFinal: true }
    const envelope = envelopeOf(message, smtp)
    const transport = transportOf(smtp, url)
    if (!transport) {
      await write(envelope)
      return undefined
    }
    try {
      await transport.sendMail(envelope)
      return undefined
    } catch (error) {
      return refusalOf(error)
    } finally {
      transport.close()
    }
  }

  async function deliver(given: MailMessage): Promise<MailRefusal | undefined> {
    const message = (await watching?.before(given)) ?? given
    const refusal = await pass(message, smtpNow(), smtpUrl)
    await watching?.tried(message, refusal)
    if (refusal && !refusal.isFinal) throw new Error(refusal.reason)
    if (refusal) log('warn', 'mail refused', { to: line(message.to), subject: line(message.subject), reason: refusal.reason })
    return refusal
  }

  async function write(envelope: ReturnType<typeof envelopeOf>): Promise<void> {
    // By the site's clock, which says when they are old.
    const time = new Date(now() * 1000 + (Date.now() % 1000)).toISOString().replaceAll(/[-:]/g, '').replace('.', '')
    const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
    await writeAtomically(file, await readable(envelope))
    log('info', 'mail written', { to: envelope.to.address, subject: envelope.subject, file, links: envelope.text.match(LINK) ?? [] })
  }

  const end = sends
    ? jobs.handle('kernel', mailJob, async (message, { isLastTry }) => {
        try {
          await deliver(message.forgets ? message : { again: { job: mailJob.id, payload: message }, ...message })
        } catch (error) {
          // A job that is given up is kept for a while, with the address in it.
          if (!message.forgets || !isLastTry) throw error
          log('warn', 'mail given up', { subject: line(message.subject), reason: line(String(error)) })
        }
      })
    : async () => {}
  return {
    send: (message) => jobs.enqueue(mailJob, message),
    deliver,
    server: {
      isFixed: smtpUrl !== undefined,
      get: smtpNow,
      set: (values) => settings.set('smtp', { ...values }),
      async greet(smtp) {
        const transport = transportOf(smtp, smtpUrl)
        if (!transport) return undefined
        try {
          await transport.verify()
          return undefined
        } catch (error) {
          return refusalOf(error)
        } finally {
          transport.close()
        }
      },
      async probe(smtp, given) {
        const message = (await watching?.before(given)) ?? given
        return await pass(message, smtp, smtpUrl)
      },
    },
    watch: (by) => {
      watching = by
    },
    async clean() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => MAIL_FILE.test(name)).sort()
      const oldest = new Date(now() * 1000 - KEEP_DAYS * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
      const surplus = names.length - KEEP_FILES
      const gone = names.filter((name, index) => index < surplus || (MAIL_FILE.exec(name)?.[1] as string) < oldest)
      for (const name of gone) await rm(join(folder, name), { force: true })
    },
    close: end,
  }
}
