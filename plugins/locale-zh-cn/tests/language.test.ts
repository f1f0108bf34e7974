import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('languages', () => {
  let site: Site
  const reply = (language: string) => site.visitor().speaking(language).get('/answer/api/v1/nothing-here')

  beforeAll(async () => {
    site = await startSite({ plugins: ['site', 'locale-zh-cn', 'locale-en-us'], language: 'zh_CN' })
  })
  afterAll(() => site.close())

  it('answer each caller in their own, and others in that of the site', async () => {
    expect((await reply('zh_CN')).msg).toBe('没有这个接口。')
    expect((await reply('en-US')).msg).toBe('There is no such call.')
    expect((await reply('ja-JP')).msg).toBe('没有这个接口。')
  })

  it('come and go, but the last one stays', async () => {
    await site.switch('locale-en-us', false)
    expect((await reply('en_US')).msg).toBe('没有这个接口。')
    await expect(site.switch('locale-zh-cn', false)).rejects.toMatchObject({ code: 'error.plugin.last_of_kind' })
    await site.switch('locale-en-us', true)
    expect((await reply('en_US')).msg).toBe('There is no such call.')
  })
})
