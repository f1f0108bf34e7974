import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comment } from '../../plugins/comments/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'

let site: Site
let author: TestPerson
beforeAll(async () => {
  site = await startSite()
  author = await site.admin()
  await posted(author, { title: 'The first of all posts' })
  await site.idle()
}, 120_000)
afterAll(() => site.close())

async function page(path = '/experiences', headers: Record<string, string> = {}) {
  const reply = await fetch(new URL(path, site.url), { headers })
  return { status: reply.status, text: await reply.text(), etag: reply.headers.get('etag'), headers: reply.headers }
}

/** Asks until two replies in a row are the same one: what was written in the background has settled. */
async function kept(path?: string, headers?: Record<string, string>) {
  let before = await page(path, headers)
  await expect
    .poll(
      async () => {
        const after = await page(path, headers)
        const isKept = after.etag !== null && after.etag === before.etag
        before = after
        return isKept
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  return before
}

describe('a page that is kept for visitors', () => {
  it('is the same for all until something is written, and whoever has it is told so', async () => {
    const first = await kept()
    expect(first.text).toContain('The first of all posts')
    expect((await page('/experiences', { 'if-none-match': first.etag as string })).status).toBe(304)
    for (const encoding of ['br', 'gzip', 'identity']) {
      const other = await page('/experiences', { 'accept-encoding': encoding })
      expect(other.headers.get('content-encoding') ?? 'identity').toBe(encoding)
      expect(other.headers.get('vary')).toMatch(/Cookie/)
      expect(other.text).toContain('The first of all posts')
    }
  })

  it('shows what is written at once', async () => {
    for (const title of ['A second post', 'A third post', 'A fourth post']) {
      await kept()
      await posted(author, { title })
      expect((await page()).text).toContain(title)
    }
  })

  it('outlives what is written elsewhere', async () => {
    const shown = await posted(author, { title: 'A post that rests' })
    const other = await posted(author, { title: 'A post that is talked about' })
    const path = `/experiences/${shown}`
    const talk = async (id: string, text: string) => expect((await comment(author, id, text)).status).toBe(200)
    let turn = 0
    await expect
      .poll(
        async () => {
          const before = await kept(path)
          // A page that is made anew says when it was.
          site.advance(1)
          turn += 1
          await talk(other, `Something that is said elsewhere, ${turn}`)
          return (await page(path)).etag === before.etag
        },
        { timeout: 50_000 },
      )
      .toBe(true)
    await talk(shown, 'Something that is said here')
    expect((await page(path)).text).toContain('Something that is said here')
  })

  it('follows settings and switches at once', async () => {
    const tagged = await kept()
    expect(tagged.text).toContain('/tags/travel')
    await site.switch('tags', false)
    expect((await page()).text).not.toContain('/tags/travel')
    await kept()
    await site.switch('tags', true)
    expect((await page()).text).toContain('/tags/travel')
    const { data: general } = await author.get('/answer/admin/api/siteinfo/general')
    await author.put('/answer/admin/api/siteinfo/general', { ...general, name: 'Another name' })
    expect((await page()).text).toContain('Another name')
  })

  it('is one for each language, scheme and standing, and shows nobody', async () => {
    const of = (cookie: string) => kept('/experiences', cookie ? { cookie } : {})
    const visitor = await of('')
    const chinese = await of('stoa_lang=zh_CN')
    const dark = await of('stoa_scheme=dark')
    const member = await of(`stoa_session=${author.token}`)
    expect(visitor.text).toMatch(/<html lang="en-US" data-scheme="(?!dark)\w+">/)
    expect(chinese.text).toContain('<html lang="zh-CN"')
    expect(dark.text).toContain('data-scheme="dark"')
    expect(member.text).toMatch(/<html [^>]*data-member=""/)
    expect(member.text).not.toContain(author.token)
    expect(new Set([visitor, chinese, dark, member].map(({ etag }) => etag)).size).toBe(4)
    const again = await of('')
    expect(again.text).toMatch(/<html lang="en-US" data-scheme="(?!dark)\w+">/)
    expect(again.text).not.toContain(author.token)
  })

  it('is not what a visitor of a private site gets', async () => {
    await kept()
    const { data: login } = await author.get('/answer/admin/api/siteinfo/login')
    await author.put('/answer/admin/api/siteinfo/login', { ...login, login_required: true })
    const closed = await page()
    expect(closed.text).not.toContain('The first of all posts')
    expect(closed.headers.get('cache-control')).toContain('private')
    expect(closed.etag).toBeNull()
    await author.put('/answer/admin/api/siteinfo/login', { ...login, login_required: false })
    expect((await page()).text).toContain('The first of all posts')
  })
})
