import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EveryRow } from '../../../tests/support/every-row.ts'
import { openEveryRow } from '../../../tests/support/every-row.ts'
import { ownArchive } from '../../../tests/support/own-archive.ts'

const ADMIN = '/answer/admin/api'
/** Numbers that stand for nothing else. */
const FIRST_ID = 918_273_000

describe('who saved a page of settings last', () => {
  let site: Site
  let rows: EveryRow
  let admin: TestPerson
  let ottilie: TestPerson

  beforeAll(async () => {
    let databaseUrl: string | undefined
    site = await startSite({
      plugins: ['admin', 'accounts', 'site', 'locale-en-us'],
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    rows = await openEveryRow(site.dataDir, databaseUrl)
    admin = await site.admin()
    await rows.countPeopleFrom(FIRST_ID)
    ottilie = await site.member('ottilie')
    await admin.put(`${ADMIN}/user/role`, { user_id: String(ottilie.id), role_id: 2 })
    const login = { e_mail: 'ottilie@example.org', pass: 'correct horse 7' }
    const { data } = await site.visitor().post('/answer/api/v1/user/login/email', login)
    ottilie = testPerson(site.url, { id: ottilie.id, name: 'ottilie', token: data.access_token })
    const saved = await ottilie.put(`${ADMIN}/siteinfo/login`, { allow_email_domains: ['example.com'] })
    expect(saved.status, saved.text).toBe(200)
  })
  afterAll(async () => {
    await rows?.close()
    await site?.close()
  })

  const kept = async () => (await rows.holding([String(ottilie.id)])).filter(({ table }) => table === 'admin__saved')
  const lastSaved = async () => (await admin.get(`${ADMIN}/settings/saved`, { page: '/admin/login' })).data

  it('stands in the archive of whoever did', async () => {
    expect(await lastSaved()).toMatchObject({ at: expect.any(Number), username: 'ottilie' })
    expect((await ownArchive(site, 'ottilie')).get('admin/saved-settings.json')).toEqual([
      { page: '/admin/login', saved_at: expect.any(Number) },
    ])
  })

  it('is nobody with a name once they are gone, and when it was stays', async () => {
    expect(await kept()).toHaveLength(1)
    const { at } = await lastSaved()
    const status = { user_id: String(ottilie.id), status: 'deleted', remove_all_content: false }
    expect((await admin.put(`${ADMIN}/user/status`, status)).status).toBe(200)
    await site.idle()
    expect(await kept()).toEqual([])
    expect(await lastSaved()).toEqual({
      at,
      username: expect.stringMatching(/^user\d+$/),
      display_name: expect.stringMatching(/^user\d+$/),
    })
    expect(site.errors).toEqual([])
  })

  it('is in no archive of somebody who saved nothing', async () => {
    await site.member('pius')
    expect([...(await ownArchive(site, 'pius')).keys()]).not.toContain('admin/saved-settings.json')
  })
})
