import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../testing/index.ts'

const API = '/answer/api/v1/experience'
/** More than are counted in one second. */
const POSTS = 30

let site: Site
let ids: string[]
beforeAll(async () => {
  site = await startSite()
  const author = await site.admin()
  ids = []
  for (let n = 0; n < POSTS; n++) ids.push(await posted(author, { title: `A post that is read, number ${n}` }))
}, 120_000)
afterAll(() => site.close())

/** Views of a post as its page tells them, after this reader's. */
async function read(id: string, browser: string): Promise<number> {
  const reply = await site.visitor().fetch(`${API}/info?id=${id}`, { headers: { 'user-agent': browser } })
  return (await reply.json()).data.view_count
}

async function inLists(): Promise<number[]> {
  const { list } = (await site.visitor().get(`${API}/page`, { order: 'newest', page_size: POSTS })).data
  return list.map((item: { view_count: number }) => item.view_count)
}

const all = (count: number) => Array.from({ length: POSTS }, () => count)

describe('views', () => {
  it('are told by the post at once, and by lists when they are counted, a few posts at a time', async () => {
    for (const browser of ['One', 'Two']) await Promise.all(ids.map((id) => read(id, browser)))
    const told = () => Promise.all(ids.map((id) => read(id, 'One')))
    // While they are being noted some are told a moment later.
    await expect.poll(told).toEqual(all(2))
    await expect.poll(inLists, { timeout: 30_000, interval: 300 }).toEqual(all(2))
    expect(await told()).toEqual(all(2))
  })

  it('outlive the process that was told of them', async () => {
    await Promise.all(ids.map((id) => read(id, 'Three')))
    await site.restart()
    const [id] = ids as [string]
    await expect.poll(() => read(id, 'Four')).toBe(4)
    await expect.poll(inLists, { timeout: 30_000, interval: 300 }).toEqual([...all(3).slice(1), 4])
  })
})
