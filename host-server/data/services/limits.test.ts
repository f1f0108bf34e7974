import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'
import { limitKey } from './limit-key.ts'

it('limits count an IPv6 network as one, and any text', () => {
  for (const address of ['2001:db8:0:1::7', '2001:DB8::1:a:b:c:d', '2001:0db8:0000:0001:ffff::', '2001:db8:0:1::7%eth0'])
    expect(limitKey(address)).toBe('2001:db8:0:1::/64')
  expect(limitKey('2001:db8:0:2::7')).toBe('2001:db8:0:2::/64')
  expect(limitKey('::1')).toBe('0:0:0:0::/64')
  expect(limitKey('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(limitKey('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(limitKey('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64')
  expect(limitKey('192.0.2.1')).toBe('192.0.2.1')
  expect(limitKey('ada@example.org')).toBe('ada@example.org')
  expect(limitKey('x'.repeat(5000))).toHaveLength(43)
  expect(limitKey('a\0b')).toHaveLength(43)
})

describeOnEach('a limit', (store) => {
  it('refuses what is too much, gives back what should not count, and takes any key', async () => {
    const there = await store()
    const { limits } = await there.open()
    for (const key of ['ada', 'x'.repeat(5000), 'a\0b', '2001:db8::1']) {
      const take = () => limits.acquire('notes.write', key, 2, 60)
      expect([await take(), await take(), await take()]).toEqual([true, true, false])
      await limits.refund('notes.write', key)
      expect([await take(), await take()]).toEqual([true, false])
    }
    expect(await limits.acquire('notes.write', '2001:db8::2', 2, 60)).toBe(false)
    await limits.refund('notes.write', 'nobody')
    there.time += 61
    expect(await limits.acquire('notes.write', 'ada', 2, 60)).toBe(true)
  })
})

describeOnEach(
  'a limit of several nodes',
  (store) => {
    it('counts what each of them was asked for, as the guard against sending twice needs it', async () => {
      const there = await store()
      const [here, elsewhere] = [await there.open(), await there.open()]
      const taken = await Promise.all(
        [here, elsewhere, here, elsewhere].map(({ limits }) => limits.acquire('kernel.duplicate', 'the same body', 1, 300)),
      )
      expect(taken.filter(Boolean)).toHaveLength(1)
      await elsewhere.limits.refund('kernel.duplicate', 'the same body')
      expect(await here.limits.acquire('kernel.duplicate', 'the same body', 1, 300)).toBe(true)
    })
  },
  'postgres',
)
