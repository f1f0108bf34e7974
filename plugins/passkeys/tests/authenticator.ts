import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** User present, user verified, with a credential. */
const FLAGS = { present: 1, verified: 4, attested: 64 }

/** What a device does with a passkey, in the few bytes that the standard asks for: one key, ES256, no attestation. */
export function makeAuthenticator({ host, origin }: { host: string; origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a501020326200121', 'hex'),
    Buffer.from([0x58, 32]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 32]),
    Buffer.from(y, 'base64url'),
  ])
  const dataOf = (flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest])
  }
  const client = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const about = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', clientExtensionResults: {} }

  return {
    /** Sets the counter that the next answer raises by one. */
    setCounter(to: number) {
      counter = to
    },
    register({ challenge }: { challenge: string }, flags = FLAGS.present | FLAGS.verified): string {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = dataOf(flags | FLAGS.attested, Buffer.concat([Buffer.alloc(16), length, id, cose]))
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      const response = {
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return JSON.stringify({ ...about, response })
    },
    sign({ challenge }: { challenge: string }, flags = FLAGS.present | FLAGS.verified): string {
      counter++
      const data = dataOf(flags)
      const clientData = client('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return JSON.stringify({ ...about, response })
    },
  }
}
