import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answeredExperience } from '../testing/index.ts'

let site: Site
let databaseUrl: string | undefined
beforeAll(async () => {
  site = await startSite({
    plugins: ['answers'],
    restore: async (into) => {
      databaseUrl = into.databaseUrl
    },
  })
})
afterAll(() => site.close())

async function run(...statements: string[]): Promise<void> {
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    return client.end()
  }
  const file = new SQLite(join(site.dataDir, 'stoa.db'))
  for (const statement of statements) file.exec(statement)
  file.close()
}

it('profiles of an older site count what everybody can see, once it is upgraded', async () => {
  const [ana, ben, mona] = [await site.member('ana'), await site.member('ben'), await site.moderator('mona')]
  const { experience } = await answeredExperience(ana, ben)
  await answeredExperience(ana, ben)
  await mona.put('/answer/api/v1/experience/operation', { id: experience, operation: 'hide' })
  const count = async () =>
    (await site.visitor().get<{ answer_count: number }>('/answer/api/v1/personal/user/info', { username: 'ben' })).data.answer_count
  expect(await count()).toBe(1)
  // As the version before left it.
  await run(
    'drop table answers__overcount',
    `delete from kernel__migration where slug = 'answers' and name like '0005%'`,
    `update accounts__profile set answer_count = 2 where id = ${ben.id}`,
  )
  for (let start = 0; start < 2; start++) {
    await site.restart()
    await site.idle()
    expect(await count()).toBe(1)
  }
})
