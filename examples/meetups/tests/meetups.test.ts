import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Site } from '@stoa/sdk/testing'
import { contractTests, startSite } from '@stoa/sdk/testing'

const API = '/answer/api/v1'
const tags = [{ slug_name: 'travel', display_name: 'travel', original_text: '' }]
let site: Site

before(async () => {
  site = await startSite({
    plugins: ['meetups', 'tags', 'locale-zh-cn', 'locale-en-us'],
    pluginDirs: [join(import.meta.dirname, '..', 'dist')],
  })
  // Staff make tags by using them.
  await (await site.admin()).post(`${API}/experience`, { title: 'The first of all posts', content: 'Nothing to see here yet.', tags })
})
after(() => site.close())

const post = async (extensions: unknown, title = 'Coffee by the river') =>
  (await site.member('ana')).post(`${API}/experience`, { title, content: 'Bring a cup, we bring the rest.', tags, extensions })

test('a member posts a meetup, which comes back with the post', async () => {
  const reply = await post({ meetups: { city: 'Lyon', day: '2999-05-01' } })
  assert.equal(reply.status, 200, reply.text)
  const { data } = await site.visitor().get(`${API}/experience/info`, { id: reply.data.id })
  assert.deepEqual(data.extensions, { meetups: { city: 'Lyon', day: '2999-05-01' } })
})

test('what is wrong is said at its field', async () => {
  const { status, data } = await post({ meetups: { city: '', day: '2001-01-01' } }, 'Coffee long ago')
  assert.equal(status, 400)
  assert.deepEqual(data, [{ error_field: 'extensions.meetups.city', error_msg: 'This cannot be empty.' }])
  const past = await post({ meetups: { city: 'Lyon', day: '2001-01-01' } }, 'Coffee long ago')
  assert.deepEqual(past.data, [{ error_field: 'extensions.meetups.day', error_msg: 'That day is over.' }])
})

test('browsers are led to the next one, and given a calendar', async () => {
  const next = await site.visitor().fetch('/meetups/next')
  assert.equal(next.status, 302)
  assert.match(next.headers.get('location') ?? '', /coffee-by-the-river$/)
  const calendar = await site.visitor().fetch('/meetups/calendar.ics')
  assert.match(calendar.headers.get('content-disposition') ?? '', /meetups\.ics/)
  assert.match(await calendar.text(), /DTSTART;VALUE=DATE:29990501\r\nSUMMARY:Coffee by the river\r\nLOCATION:Lyon/)
})

test('who may see a post hears who comes, nobody else does', async () => {
  const shown = (await post(undefined, 'Tea by the lake')).data.id
  const hidden = (await post(undefined, 'Tea by another lake')).data.id
  const [ana, ben] = [await site.member('ana'), await site.member('ben')]
  await ana.del(`${API}/experience`, { id: hidden })
  const keys = [shown, hidden].map((id) => ['listen', `meetups.guestsChanged ${id}`])
  const hears = async (token: string): Promise<string[]> => {
    const ending = new AbortController()
    const stream = await fetch(`${site.url}/stoa/events?${new URLSearchParams(keys)}`, {
      headers: { cookie: `stoa_session=${token}` },
      signal: ending.signal,
    })
    await ana.post(`${API}/meetups/guests`, { id: hidden, comes: true })
    await ana.post(`${API}/meetups/guests`, { id: shown, comes: true })
    const decoder = new TextDecoder()
    let text = ''
    try {
      // The one that everybody may hear comes last.
      for await (const piece of stream.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
        if (text.includes(`guestsChanged ${shown}`)) break
      }
    } finally {
      ending.abort()
    }
    return [...text.matchAll(/guestsChanged (\d+)/g)].map(([, id]) => id ?? '')
  }
  assert.deepEqual(await hears(ben.token), [shown])
  assert.deepEqual(await hears(''), [shown])
  assert.deepEqual(await hears(ana.token), [hidden, shown])
})

// What every plugin should bear.
for (const { name, run } of contractTests({ slug: 'meetups', pluginDirs: [join(import.meta.dirname, '..', 'dist')] })) test(name, run)
