import { encodeId } from '@stoa/sdk'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../plugins/answers/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { launchBrowser } from '../support/browser.ts'

const API = '/answer/api/v1/experience'

let site: Site
let author: TestPerson
let member: TestPerson
beforeAll(async () => {
  site = await startSite()
  author = await site.admin()
  member = await site.member('ana')
}, 120_000)
afterAll(() => site.close())

/** Opens the page of a post without scripts. */
async function open(id: string, browser: string, person?: TestPerson): Promise<string> {
  const headers = { 'user-agent': browser, ...(person && { cookie: `stoa_session=${person.token}` }) }
  const reply = await fetch(new URL(`/experiences/${id}`, site.url), { headers })
  expect(reply.status).toBe(200)
  return reply.text()
}

/** Views of a post as lists show them, which nobody counts for looking. Those of some posts are counted together: one that comes after all others tells when. */
async function views(id: string): Promise<number> {
  const last = await posted(author)
  await open(last, 'The last of all')
  await expect.poll(() => stored(last), { timeout: 30_000, interval: 300 }).toBe(1)
  return stored(id)
}

const stored = async (id: string): Promise<number> => {
  const { list } = (await site.visitor().get(`${API}/page`, { order: 'newest' })).data
  return list.find((item: { id: string }) => item.id === id).view_count
}

describe('who opens the page of a post', () => {
  it('counts once, however the page comes about and whatever is asked for afterwards', async () => {
    const id = await posted(author, { title: 'A post that is visited' })
    await site.idle()
    // The first is rendered, later ones are kept.
    for (const browser of ['One', 'One', 'Two', 'One', 'Two']) expect(await open(id, browser)).toContain('A post that is visited')
    for (let time = 0; time < 2; time++) await open(id, 'One', member)
    await member.get(`${API}/info`, { id })
    await site.visitor().fetch(`${API}/info?id=${id}`, { headers: { 'user-agent': 'Two' } })
    expect(await views(id)).toBe(3)
  })

  it('counts once in a browser that takes over the page and comes back to it', async () => {
    const id = await posted(author, { title: 'A post in a browser' })
    const browser = await launchBrowser()
    try {
      const context = await browser.newContext({ locale: 'en-US' })
      const tab = await context.newPage()
      await tab.goto(`${site.url}/experiences/${id}`)
      await tab.getByRole('link', { name: 'Experiences' }).first().click()
      const asked = tab.waitForResponse((reply) => reply.url().includes(`${API}/info`))
      await tab.getByRole('link', { name: 'A post in a browser' }).first().click()
      await asked
      await tab.getByRole('heading', { name: 'A post in a browser' }).waitFor()
    } finally {
      await browser.close()
    }
    expect(await views(id)).toBe(1)
  })

  it('counts who goes there, not who points at the link: data that was fetched ahead is used, and the visit told', async () => {
    const [pointed, read] = [
      await posted(author, { title: 'A post that is pointed at' }),
      await posted(author, { title: 'A post pointed at and read' }),
    ]
    const browser = await launchBrowser()
    try {
      const context = await browser.newContext({ locale: 'en-US' })
      const tab = await context.newPage()
      await tab.goto(`${site.url}/experiences`)
      await tab.locator('footer select:enabled').first().waitFor()
      const asked: string[] = []
      tab.on('request', (request) => void (request.url().includes(`${API}/info`) && asked.push(request.url())))
      const point = async (name: string) => {
        const ahead = tab.waitForResponse((reply) => reply.url().includes(`${API}/info`))
        await tab.getByRole('link', { name, exact: true }).hover()
        await ahead
      }
      await point('A post that is pointed at')
      await point('A post pointed at and read')
      const told = tab.waitForResponse((reply) => reply.url().endsWith('/stoa/seen'))
      await tab.getByRole('link', { name: 'A post pointed at and read' }).click()
      await tab.getByRole('heading', { name: 'A post pointed at and read' }).waitFor()
      expect((await told).status()).toBe(200)
      expect(asked).toHaveLength(2)
    } finally {
      await browser.close()
    }
    expect(await views(read)).toBe(1)
    expect(await stored(pointed)).toBe(0)
  })

  it('finds it marked in lists, also when somebody has answered since; a glance ahead, a visitor and an old visit leave no mark', async () => {
    const [read, ahead] = [await posted(author), await posted(author)]
    const state = async (id: string, person = member) =>
      (await person.get(`${API}/page`, { order: 'newest' })).data.list.find((item: { id: string }) => item.id === id).read_state
    const becomes = (id: string, wanted: string | undefined) =>
      expect.poll(() => state(id), { timeout: 20_000, interval: 300 }).toBe(wanted)
    await member.fetch(`${API}/info?id=${ahead}`, { headers: { purpose: 'prefetch' } })
    await member.get(`${API}/info`, { id: read })
    await becomes(read, 'read')
    expect([await state(ahead), await state(read, author), await state(read, site.visitor())]).toEqual([undefined, undefined, undefined])
    site.advance(60)
    await answered(member, read)
    await site.idle()
    expect(await state(read)).toBe('read')
    await answered(author, read)
    await site.idle()
    expect(await state(read)).toBe('answered_since')
    // As many as are remembered, all opened later.
    site.advance(60)
    for (let n = 0; n < 1000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => member.get(`${API}/info`, { id: encodeId(1, 500_000 + n + at) })))
    await becomes(read, undefined)
  })

  it('is nobody while a page is only looked for, or is not there', async () => {
    const id = await posted(author, { title: 'A post that is asked about' })
    await site.visitor().fetch(`/experiences/${id}`, { method: 'HEAD' })
    expect((await site.visitor().fetch('/experiences/10010000000099999')).status).toBe(404)
    expect(await views(id)).toBe(0)
  })
})
