import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'

const path = '/answer/api/v1/guestbook'
let site: Site

// A real site with what was built into dist/. The checkout of Stoa it is started from stands in STOA_CHECKOUT.
before(async () => {
  site = await startSite({ plugins: ['guestbook', 'locale-zh-cn', 'locale-en-us'], pluginDirs: [join(import.meta.dirname, '..', 'dist')] })
})
after(() => site.close())

test('members sign, everybody reads', async () => {
  const ana = await site.member('ana')
  assert.equal((await ana.post(path, { text: ' It was good to be here. ' })).status, 200)
  const { data } = await site.visitor().get(path)
  assert.equal(data.length, 1)
  assert.equal(data[0].text, 'It was good to be here.')
})

test('an empty line is refused at its field, in the language of the writer', async () => {
  const ana = (await site.member('ana')).speaking('zh_CN')
  const { status, data } = await ana.post(path, { text: '  ' })
  assert.equal(status, 400)
  assert.deepEqual(data, [{ error_field: 'text', error_msg: '请先写一句话。' }])
})

test('visitors cannot sign', async () => {
  assert.equal((await site.visitor().post(path, { text: 'x' })).status, 401)
})
