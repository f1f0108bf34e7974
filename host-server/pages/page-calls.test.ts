import { expect, test } from 'vitest'
import { PageCalls, SharedReplies } from './page-calls.ts'

function shared() {
  let now = 1000
  let asked = 0
  const replies = new SharedReplies(() => now)
  /** How often the site has been asked once this page has its reply. */
  const page = async (version: number, status = 200, key = '/facts'): Promise<number> => {
    await replies.get(key, Promise.resolve(version), async () => {
      asked++
      return { status, body: Buffer.from('{}') }
    })
    return asked
  }
  return { replies, page, later: (seconds: number) => (now += seconds) }
}

test('a reply is shared from the second page on that asks for it, until the data changes', async () => {
  const { page } = shared()
  expect([await page(1), await page(1), await page(1)]).toEqual([1, 2, 2])
  expect([await page(2), await page(2)]).toEqual([3, 3])
})

test('what nobody has asked for is asked for before the state of the data is known', async () => {
  const { replies } = shared()
  const unknown = new Promise<number>(() => {})
  const reply = await replies.get('/post', unknown, async () => ({ status: 200, body: Buffer.from('1') }))
  expect(reply.body.toString()).toBe('1')
})

test('a page of a former state asks for itself, and leaves to the others what they share', async () => {
  const { page } = shared()
  expect([await page(2), await page(2), await page(1), await page(2)]).toEqual([1, 2, 3, 3])
})

test('what depends on the time is asked for again, and so is the data of a site that was put back to a former state', async () => {
  const { page, later } = shared()
  expect([await page(7), await page(7), await page(7)]).toEqual([1, 2, 2])
  later(10)
  expect([await page(7), await page(7)]).toEqual([3, 3])
  later(10)
  expect([await page(4), await page(4)]).toEqual([4, 4])
})

test('a reply that failed is not shared', async () => {
  const { page } = shared()
  expect([await page(1, 500), await page(1, 500), await page(1, 500)]).toEqual([1, 2, 3])
})

test('what a page is expected to ask for holds it up for a moment only: the rest is drawn, and one that comes late is still the same call', async () => {
  const asked: string[] = []
  const late = Promise.withResolvers<{ status: number; body: Buffer }>()
  const calls = new PageCalls(async (url) => {
    asked.push(url)
    return url === '/late' ? await late.promise : { status: 200, body: Buffer.from('{}') }
  })
  expect([...(await calls.together(['/late', '/quick'])).keys()]).toEqual(['/quick'])
  late.resolve({ status: 200, body: Buffer.from('[]') })
  expect((await calls.call('/late')).body.toString()).toBe('[]')
  expect(asked).toEqual(['/late', '/quick'])
})
