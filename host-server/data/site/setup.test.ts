import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roles } from '@stoa/sdk/server'
import { afterAll, describe, expect, it } from 'vitest'
import { openData } from '../index.ts'
import { describeOnEach, withNotes } from '../test-data.ts'

const values = {
  language: 'zh_CN',
  siteName: '思朵',
  siteUrl: 'https://stoa.example',
  contactEmail: 'a@example.org',
  adminName: 'owner',
  adminEmail: 'Owner@example.org',
  adminPassword: 'Owner12345',
  loginRequired: false,
  extra: {},
}

describeOnEach('a site that is set up', (store) => {
  it('has its first admin, once', async () => {
    const there = await store()
    const data = await there.open()
    if (there.dialect === 'sqlite') await data.setup.init({ type: 'sqlite3' })
    expect(data.setup.state()).toEqual({ configured: true, connected: true, installed: false })
    let seen: { adminId: number } | undefined
    const remember = async (all: { adminId: number }) => {
      seen = all
    }
    const both = await Promise.allSettled([
      data.setup.finish(values, remember),
      data.setup.finish({ ...values, adminEmail: 'second@example.org' }, remember),
    ])
    const refused = both.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => reason)).toEqual([expect.objectContaining({ code: 'error.install.already_installed' })])
    expect(seen).toMatchObject({ siteName: '思朵' })
    const admins = await data.credentials.withRole(roles.admin)
    expect(admins).toEqual([expect.objectContaining({ id: seen?.adminId, state: 'normal' })])
    expect(await data.credentials.verify(admins[0]?.login ?? '', 'Owner12345')).toEqual(admins[0])
    expect(data.site).toMatchObject({ installed: true, name: '思朵', url: 'https://stoa.example' })
    await expect(data.setup.init({ type: 'sqlite3' })).rejects.toMatchObject({ code: 'error.install.already_installed' })
  })

  it('is not, when a plugin refuses', async () => {
    const there = await store()
    const data = await there.open()
    if (there.dialect === 'sqlite') await data.setup.init({ type: 'sqlite3' })
    await expect(
      data.setup.finish(values, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(data.setup.state().installed).toBe(false)
    expect(await data.credentials.findByLogin(values.adminEmail)).toBeUndefined()
    await data.setup.finish(values, async () => {})
  })
})

describeOnEach('the choice of a database', (store) => {
  it('is refused with the reason when nothing answers', async () => {
    const there = await store()
    const data = await there.open()
    const refused = { code: 'error.database.connection_failed', data: { err_type: 'alert' } }
    await expect(data.setup.check({ type: 'postgres', host: '127.0.0.1:1', user: 'u', password: 'p', name: 'n' })).rejects.toMatchObject(
      refused,
    )
    writeFileSync(join(there.dataDir, 'notes.txt'), 'This is no database, but long enough to look at as one.'.repeat(20))
    for (const file of ['notes.txt', 'notes.txt/site.db'])
      await expect(data.setup.check({ type: 'sqlite3', file })).rejects.toMatchObject(refused)
  })

  it('is a file in the data directory, for whoever finds the wizard open', async () => {
    const there = await store()
    const data = await there.open()
    const refused = { code: 'error.database.connection_failed' }
    for (const file of ['../elsewhere.db', '/tmp/elsewhere.db', 'a/../../elsewhere.db']) {
      await expect(data.setup.check({ type: 'sqlite3', file })).rejects.toMatchObject(refused)
      if (there.dialect === 'sqlite') await expect(data.setup.init({ type: 'sqlite3', file })).rejects.toMatchObject(refused)
    }
    expect(existsSync(join(there.dataDir, '../elsewhere.db'))).toBe(false)
  })

  it('leaves nothing behind when it is only checked', async () => {
    const there = await store()
    const data = await there.open()
    await data.setup.check({ type: 'sqlite3', file: 'other/chosen.db' })
    expect(existsSync(join(there.dataDir, 'other'))).toBe(false)
    await data.setup.check({ type: 'sqlite3' })
  })
})

describeOnEach(
  'a data directory that held a site',
  (store) => {
    it('says so instead of starting over when its database is gone, or is another', async () => {
      const there = await store()
      const first = await there.open()
      await first.setup.init({ type: 'sqlite3' })
      await first.setup.finish(values, async () => {})
      await first.close()
      const file = join(there.dataDir, 'stoa.db')
      renameSync(file, `${file}.away`)
      for (let n = 0; n < 2; n++) await expect(there.open()).rejects.toThrow(/A site was set up from .*stoa\.db" is gone or empty/)
      expect(existsSync(file)).toBe(false)
      writeFileSync(file, '')
      await expect(there.open()).rejects.toThrow('is gone or empty')
      renameSync(`${file}.away`, file)
      expect((await there.open()).setup.state().installed).toBe(true)
    })
  },
  'sqlite',
)

describe('a database that cannot be opened', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-setup-'))
  afterAll(() => rmSync(dataDir, { recursive: true }))
  const open = (databaseUrl?: string) => openData({ dataDir, ...(databaseUrl && { databaseUrl }), log: () => {} })

  it('stops the start with one sentence that names it, without the password', async () => {
    await expect(open('postgres://u:secret@127.0.0.1:1/n')).rejects.toThrow(
      /^DATABASE_URL is "postgres:\/\/u:…@127\.0\.0\.1:1\/n", which did not open \(.*ECONNREFUSED.*\); it must be .*\.$/,
    )
    writeFileSync(join(dataDir, 'config.json'), '{')
    await expect(open()).rejects.toThrow(/config\.json cannot be read/)
  })
})

describe('without configuration', () => {
  describeOnEach('a data directory', (store) => {
    it('waits for a choice, keeps it, and moves to the chosen database', async () => {
      const there = await store()
      const data = await there.open({ databaseUrl: '' })
      expect(data.setup.state()).toEqual({ configured: false, connected: false, installed: false })
      await expect(data.setup.finish(values, async () => {})).rejects.toMatchObject({ code: 'error.config.read_config_failed' })
      await withNotes(data)
      let reopened = 0
      data.setup.onReopen(async () => {
        reopened++
        await withNotes(data)
      })
      const url = there.databaseUrl && new URL(there.databaseUrl)
      const choice = url
        ? { type: 'postgres' as const, host: url.host, user: url.username, password: url.password, name: url.pathname.slice(1) }
        : { type: 'sqlite3' as const, file: 'chosen/site.db' }
      await data.setup.init(choice)
      await data.setup.init(choice)
      expect(reopened).toBe(1)
      expect(data.dialect).toBe(there.dialect)
      expect(data.setup.state()).toEqual({ configured: true, connected: true, installed: false })
      await data.setup.finish(values, async () => {
        await data.database.write((tx) =>
          tx
            .insertInto('notes__note' as never)
            .values({ text: 'a' } as never)
            .execute(),
        )
      })
      await data.close()
      expect(JSON.parse(readFileSync(join(there.dataDir, 'config.json'), 'utf8'))).toMatchObject({ database: { dialect: there.dialect } })
      rmSync(join(there.dataDir, 'stoa.db'))
      expect((await there.open({ databaseUrl: '' })).setup.state()).toEqual({ configured: true, connected: true, installed: true })
    })
  })
})
