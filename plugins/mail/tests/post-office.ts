import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ParsedMail } from 'mailparser'
import { simpleParser } from 'mailparser'
import { generate } from 'selfsigned'
import type { SMTPServerOptions } from 'smtp-server'
import { SMTPServer } from 'smtp-server'

/** A mail as it arrived: what the envelope said, the source, and what a mail program makes of it. */
export interface Arrived {
  to: string
  isEncrypted: boolean
  user: string
  source: string
  mail: ParsedMail
}

export interface PostOffice {
  port: number
  arrived: Arrived[]
  /** Throws to refuse: at the receiver, or once the whole mail is there. */
  onReceiver: (address: string) => void
  onMail: (arrived: Arrived) => void | Promise<void>
  close(): Promise<void>
}

export const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

/** Makes a certificate for this machine; connections of this process trust it until `distrust`. */
export async function trustedCertificate(): Promise<{ key: string; cert: string; distrust(): void }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return { key, cert, distrust: () => setDefaultCACertificates(before) }
}

/** A real SMTP server that keeps what it is given. */
export async function openPostOffice(options: SMTPServerOptions = {}): Promise<PostOffice> {
  const office: PostOffice = { port: 0, arrived: [], onReceiver: () => {}, onMail: () => {}, close: async () => {} }
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    ...(options.key === undefined && { hideSTARTTLS: true }),
    onAuth: ({ username, password }, _, done) =>
      password === 'right' ? done(null, { user: username }) : done(refusal(535, '5.7.8 That is not the password')),
    onRcptTo({ address }, _, done) {
      try {
        office.onReceiver(address)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    onData(stream, session, done) {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        const source = Buffer.concat(chunks)
        const arrived: Arrived = {
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          isEncrypted: session.secure,
          user: String(session.user ?? ''),
          source: source.toString(),
          mail: await simpleParser(source),
        }
        await office.onMail(arrived)
        office.arrived.push(arrived)
      })().then(() => done(), done)
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  office.port = (server.server.address() as AddressInfo).port
  office.close = () => new Promise((resolve) => server.close(resolve))
  return office
}
