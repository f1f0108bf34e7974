import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOnEach } from './test-data.ts'

const DAY = 24 * 3600

describeOnEach('what grows by itself is kept within bounds:', (store) => {
  it('sessions of one person, dead and forgotten jobs, processes that were killed, mails in files', async () => {
    const there = await store()
    const data = await there.open()
    const { id } = await data.credentials.create({ login: 'ada@example.org', password: 'correct horse 7' })
    const tokens: string[] = []
    for (let n = 0; n < 103; n++) {
      there.time++
      tokens.push((await data.credentials.openSession(id)).token)
    }
    const job = { kind: 'notes.gone', payload: '{}', created_at: there.time, attempts: 10, lease_until: 0, owner: '', reason: '' }
    await data.database.write(async (tx) => {
      const dead = Array.from({ length: 10_005 }, () => ({ ...job, state: 'dead' as const, run_at: there.time }))
      for (let at = 0; at < dead.length; at += 500)
        await tx
          .insertInto('kernel__job')
          .values(dead.slice(at, at + 500))
          .execute()
      const waiting = [89, 91].map((days) => ({
        ...job,
        kind: `notes.${days}`,
        state: 'waiting' as const,
        run_at: there.time - days * DAY,
      }))
      await tx.insertInto('kernel__job').values(waiting).execute()
      await tx
        .insertInto('kernel__node')
        .values({ id: 'killed', host: hostname(), pid: 2 ** 22 + 1, epoch: 1, steps: null, lease_until: 0 })
        .execute()
    })
    const mails = join(there.dataDir, 'mail')
    mkdirSync(mails, { recursive: true })
    const day = new Date(there.time * 1000).toISOString().slice(0, 10).replaceAll('-', '')
    for (let n = 0; n < 2003; n++) writeFileSync(join(mails, `${day}T${String(n).padStart(9, '0')}Z-x.eml`), '')
    for (const name of ['20200101T000000000Z-x.eml', 'notes.txt']) writeFileSync(join(mails, name), '')

    await data.credentials.sessions.deleteExpired()
    await data.jobs.clean()
    await data.mail.clean()
    await data.nodes.arrive(1)

    const known = await Promise.all(tokens.map(async (token) => (await data.credentials.authenticate(token)) !== null))
    expect([known.filter(Boolean).length, known.indexOf(true)]).toEqual([100, 3])
    const jobs = await data.database.query.selectFrom('kernel__job').select(['kind', 'state']).execute()
    expect(jobs.filter(({ state }) => state === 'dead')).toHaveLength(10_000)
    expect(jobs.filter(({ state }) => state === 'waiting').map(({ kind }) => kind)).toEqual(['notes.89'])
    const nodes = await data.database.query.selectFrom('kernel__node').select('id').execute()
    expect([nodes.length, nodes.some(({ id }) => id === 'killed')]).toEqual([1, false])
    const kept = readdirSync(mails).sort()
    expect([kept.length, kept.includes('notes.txt'), kept[0]]).toEqual([2001, true, `${day}T000000003Z-x.eml`])
  })
})
