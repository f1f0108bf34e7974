import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { foundIds, search } from '../testing/index.ts'

const plugins = ['search', 'experiences', 'answers', 'tags', 'accounts', 'site', 'locale-en-us']

describe('the index', () => {
  let site: Site
  afterEach(() => site.close())

  it('has posts that were written while search was off', async () => {
    site = await startSite({ plugins })
    const ana = await site.moderator('ana')
    const before = await posted(ana, { title: 'Walking along the river', content: 'The river is wide and slow there.' })
    await site.idle()
    await site.switch('search', false)
    expect(await ana.get('/answer/api/v1/search', { q: 'river' })).toMatchObject({ status: 404, reason: 'base.route_not_found' })
    const meanwhile = await posted(ana, { title: 'Swimming in the river', content: 'The river is cold in the morning.' })
    await site.switch('search', true)
    await site.idle()
    expect((await foundIds(ana, 'river')).sort()).toEqual([before, meanwhile].sort())
  })

  it('is built at its first start from the posts that are there', async () => {
    site = await startSite({ plugins, leaveOut: ['search'] })
    const ana = await site.moderator('ana')
    const id = await posted(ana, { title: '山里的日出', content: '我们四点起床，在山顶等日出。' })
    await site.restart({ leaveOut: [] })
    await site.idle()
    expect(await foundIds(site.visitor(), '日出')).toEqual([id])
  })

  it('leaves answers out while their plugin is off', async () => {
    site = await startSite({ plugins })
    const ana = await site.moderator('ana')
    const ben = await site.member('ben')
    const id = await posted(ana, { title: 'A tent in the garden', content: 'We slept in a tent.' })
    await ben.post('/answer/api/v1/answer', { experience_id: id, content: 'Our tent was too small for four.' })
    await site.idle()
    expect((await search(ana, 'tent')).count).toBe(2)
    await site.switch('answers', false)
    expect(await search(ana, 'tent')).toMatchObject({ count: 1, list: [{ object_type: 'experience' }] })
    await site.switch('answers', true)
    expect((await search(ana, 'tent')).count).toBe(2)
  })

  it('has what it heard of while the plugin of it was off, once that is back', async () => {
    site = await startSite({ plugins })
    const ana = await site.moderator('ana')
    const before = await posted(ana, { title: 'A lantern for the tent', content: 'It burns oil.' })
    await site.idle()
    await site.switch('search', false)
    const missed = await posted(ana, { title: 'A lantern for the boat', content: 'It burns gas.' })
    await site.switch('experiences', false)
    await site.switch('search', true)
    await site.idle()
    await site.switch('experiences', true)
    site.advance(60)
    await site.idle()
    expect((await foundIds(ana, 'lantern')).sort()).toEqual([before, missed].sort())
  })
})
