import { expect, it } from 'vitest'
import { otherEncryptionOf } from '../shared/usual-ports.ts'

it('a port where servers speak another encryption than the chosen one is told, and no other', () => {
  expect([otherEncryptionOf(465, ''), otherEncryptionOf(465, 'TLS'), otherEncryptionOf(587, 'SSL'), otherEncryptionOf(25, 'SSL')]).toEqual([
    ...['SSL', 'SSL'],
    ...['TLS', 'TLS'],
  ])
  for (const [port, encryption] of [
    [465, 'SSL'],
    [587, 'TLS'],
    [587, ''],
    [25, ''],
    [25, 'TLS'],
    [2525, 'SSL'],
    [2465, ''],
  ] as const)
    expect(otherEncryptionOf(port, encryption), `${port} ${encryption}`).toBeUndefined()
})
