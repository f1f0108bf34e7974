import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'

describeOnEach(
  'what nodes tell each other',
  (store) => {
    it('is said to have been missed once a node listens again that did not, and is heard again', async () => {
      const there = await store()
      const [node, other] = [await there.open(), await there.open()]
      const missed = Promise.withResolvers<void>()
      const heard = Promise.withResolvers<unknown>()
      node.pushes.onMissed(missed.resolve)
      node.pushes.on(heard.resolve)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'stoa listener'`.execute(
        other.database.query,
      )
      await missed.promise
      await other.pushes.send({ id: 'news', topic: '7', payload: { n: 1 } })
      expect(await heard.promise).toEqual({ id: 'news', topic: '7', payload: { n: 1 } })
    })
  },
  'postgres',
)
