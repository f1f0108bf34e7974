import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EveryRow } from '../../../tests/support/every-row.ts'
import { openEveryRow } from '../../../tests/support/every-row.ts'
import { ownArchive } from '../../../tests/support/own-archive.ts'
import type { PostOffice } from './post-office.ts'
import { openPostOffice, refusal } from './post-office.ts'

const ADMIN = '/answer/admin/api'
/** Numbers that stand for nothing else. */
const FIRST_ID = 918_273_000

describe('what is kept of addresses that a server refuses', () => {
  let site: Site
  let rows: EveryRow
  let office: PostOffice
  let admin: TestPerson
  let ottilie: TestPerson

  beforeAll(async () => {
    let databaseUrl: string | undefined
    site = await startSite({
      plugins: ['mail', 'accounts', 'locale-en-us'],
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    rows = await openEveryRow(site.dataDir, databaseUrl)
    office = await openPostOffice()
    admin = await site.admin()
    await admin.put(`${ADMIN}/setting/smtp`, { smtp_host: '127.0.0.1', smtp_port: office.port, smtp_authentication: false })
    await rows.countPeopleFrom(FIRST_ID)
    ottilie = await site.member('ottilie')
    office.onReceiver = () => {
      throw refusal(550, '5.1.1 No such mailbox')
    }
    for (const _ of [1, 2]) {
      await site.visitor().post('/answer/api/v1/user/password/reset', { e_mail: 'ottilie@example.org' })
      await site.idle()
    }
  })
  afterAll(async () => {
    await rows?.close()
    await site?.close()
    await office?.close()
  })

  const kept = async () => {
    const found = await rows.holding([String(ottilie.id), 'ottilie'])
    return found.flatMap(({ table, column }) => (table.startsWith('mail__') ? [`${table}.${column}`] : []))
  }

  it('stands in the archive of whose address it is', async () => {
    expect(await kept()).toEqual(
      expect.arrayContaining(['mail__refused.person_id', 'mail__refused.address', 'mail__undelivered.to_address']),
    )
    office.onReceiver = () => {}
    const archive = await ownArchive(site, 'ottilie')
    // The mail that says that it is ready was taken, so nothing stands against the address any more.
    expect(await kept()).not.toContain('mail__refused.person_id')
    const [refused] = archive.get('mail/refused-mail.json') as object[]
    expect(refused).toEqual({
      address: 'ottilie@example.org',
      reason: expect.stringContaining('5.1.1 No such mailbox'),
      refusals: 2,
      last_at: expect.any(Number),
    })
    expect(archive.get('mail/undelivered-mail.json')).toMatchObject([
      { to_address: 'ottilie@example.org', subject: '[Test] Set a new password', tries: 2 },
    ])
  })

  it('is gone with its person', async () => {
    office.onReceiver = () => {
      throw refusal(550, '5.1.1 No such mailbox')
    }
    for (const _ of [1, 2]) {
      await site.visitor().post('/answer/api/v1/user/password/reset', { e_mail: 'ottilie@example.org' })
      await site.idle()
    }
    expect(await kept()).toContain('mail__refused.person_id')
    const status = { user_id: String(ottilie.id), status: 'deleted', remove_all_content: false }
    expect((await admin.put(`${ADMIN}/user/status`, status)).status).toBe(200)
    await site.idle()
    expect(await kept()).toEqual([])
    expect((await admin.get(`${ADMIN}/mail/undelivered`)).data.list).toEqual([])
    expect(site.errors).toEqual([])
  })

  it('goes with the farewell too, whether the server refuses it for good or never takes it', async () => {
    office.onReceiver = () => {}
    const leavers = { 'leaver-550@example.org': 550, 'leaver-450@example.org': 450 }
    for (const address of Object.keys(leavers)) {
      const { id, name } = await site.member(address.split('@')[0] as string)
      // Whoever leaves has just logged in.
      const { data } = await site.visitor().post('/answer/api/v1/user/login/email', { e_mail: address, pass: 'correct horse 7' })
      const leaver = testPerson(site.url, { id, name, token: data.access_token })
      expect((await leaver.post('/answer/api/v1/user/leave', { remove_all_content: false })).status).toBe(200)
    }
    await site.idle()
    const tried: string[] = []
    office.onReceiver = (receiver) => {
      tried.push(receiver)
      throw refusal(leavers[receiver as keyof typeof leavers], 'Not now')
    }
    site.advance(14 * 86_400 + 601)
    await expect.poll(() => new Set(tried).size).toBe(2)
    await site.idle()
    expect(await rows.jobsWith('leaver-550')).toBe(0)
    // The first of them come after seconds: on a busy machine some are over by themselves.
    const tries = () => tried.filter((address) => address.includes('450')).length
    for (let n = 1; n < 10 && tries() < 10; n++) {
      expect(await rows.jobsWith('leaver-450')).toBe(1)
      site.advance(601)
      await site.idle()
    }
    expect(tries()).toBe(10)
    expect(tried.filter((address) => address.includes('550'))).toHaveLength(1)
    expect(await rows.jobsWith('leaver-')).toBe(0)
    expect(await rows.holding(Object.keys(leavers))).toEqual([])
  })
})
