import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail, MailMessage, SiteInfo } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { writeAtomically } from '../../shared/write-atomically.ts'
import type { Jobs } from '../jobs/jobs.ts'

const mailJob = job<MailMessage>('kernel.mail')

export interface KernelMail extends Mail {
  /** Deletes mails that were written as files long ago, or are too many. */
  clean(): Promise<void>
  close(): Promise<void>
}

/** Values of the setting `smtp`, as the protocol names them. */
interface SmtpSettings {
  from_email?: string
  from_name?: string
  smtp_host?: string
  smtp_port?: number
  encryption?: string
  smtp_username?: string
  smtp_password?: string
  smtp_authentication?: boolean
}

interface MailOptions {
  folder: string
  smtpUrl: string | undefined
  jobs: Jobs
  /** False: only queues, for another process to send. */
  sends: boolean
  settings: { get(slug: string): object }
  site: Pick<SiteInfo, 'url' | 'name'>
  now: () => number
  log: (level: 'info', message: string, details: object) => void
}

const KEEP_DAYS = 30
const KEEP_FILES = 2000
/** As `deliver` names them: by time. */
const MAIL_FILE = /^(\d{8})T.*\.eml$/

const LINK = /https?:\/\/[^\s<>"')\]]+/g

function transportOf(smtp: SmtpSettings, smtpUrl: string | undefined) {
  if (smtpUrl) return createTransport(smtpUrl)
  if (!smtp.smtp_host) return undefined
  return createTransport({
    host: smtp.smtp_host,
    port: smtp.smtp_port ?? 465,
    secure: smtp.encryption === 'SSL',
    requireTLS: smtp.encryption === 'TLS',
    connectionTimeout: 10_000,
    ...(smtp.smtp_authentication && { auth: { user: smtp.smtp_username ?? '', pass: smtp.smtp_password ?? '' } }),
  })
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
  async function deliver(message: MailMessage): Promise<void> {
    const smtp = settings.get('smtp') as SmtpSettings
    const address = smtp.from_email || `noreply@${URL.canParse(site.url) ? new URL(site.url).hostname : 'localhost'}`
    const envelope = { ...message, from: { name: smtp.from_name || site.name, address }, date: new Date() }
    const transport = transportOf(smtp, smtpUrl)
    if (transport) {
      await transport.sendMail(envelope)
      transport.close()
      return
    }
    const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '')
    const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
    await writeAtomically(file, await readable(envelope))
    log('info', 'mail written', { to: message.to, subject: message.subject, file, links: message.text.match(LINK) ?? [] })
  }

  const end = sends ? jobs.handle('kernel', mailJob, deliver) : async () => {}
  return {
    send: (message) => jobs.enqueue(mailJob, message),
    deliver,
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
