export type Encryption = '' | 'SSL' | 'TLS'

/** Where servers listen, by encryption. */
export const usualPort = { SSL: 465, TLS: 587, '': 25 } as const satisfies Record<Encryption, number>

/** What a server at this port speaks (RFC 8314), where the choice is another one: the two never understand each other. */
export function otherEncryptionOf(port: number, encryption: Encryption): 'SSL' | 'TLS' | undefined {
  if (port === usualPort.SSL) return encryption === 'SSL' ? undefined : 'SSL'
  return encryption === 'SSL' && (port === usualPort.TLS || port === usualPort['']) ? 'TLS' : undefined
}
