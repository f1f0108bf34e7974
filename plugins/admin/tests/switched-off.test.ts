import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ADMIN = '/answer/admin/api'

describe('settings of a plugin that is off', () => {
  let site: Site
  let admin: TestPerson
  beforeAll(async () => {
    site = await startSite({ plugins: ['admin', 'audit', 'review', 'locale-en-us', 'locale-zh-cn'], language: 'zh_CN' })
    admin = await site.admin()
    await site.switch('review', false)
    const config_fields = { newcomers: 2, on_failure: 'publish', deadline: 3 }
    expect((await admin.put(`${ADMIN}/plugin/config`, { plugin_slug_name: 'review', config_fields })).status).toBe(200)
  })
  afterAll(() => site?.close())

  it.each([
    ['zh_CN', ['新成员需审核: 0 → 2', '自动检查没有结果时: 内容等待人工审核 → 直接发布内容']],
    [
      'en_US',
      ['New members wait: 0 → 2', 'When an automatic check gives no answer: Moderators decide about the text → The text is published'],
    ],
  ])('stand in the log of staff in the language of whoever reads it: %s', async (language, told) => {
    const { data } = await admin
      .speaking(language)
      .get<{ list: { changes: { field: string; from: string; to: string }[] }[] }>(`${ADMIN}/audit/page`, { action: 'admin.settings' })
    expect(data.list[0]?.changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`)).toEqual(told)
  })
})
