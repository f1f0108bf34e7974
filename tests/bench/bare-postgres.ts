import fastify from 'fastify'
import pg from 'pg'
import { newestItems, PAGE, tagView } from './bare-lists.ts'

/**
 * The bare list on PostgreSQL: plain fastify, `pg` and hand-written prepared statements, with the same JSON as the site's list of the newest.
 * Started with the database's address and the port; tells its parent when it serves, and what CPU time it used when asked.
 */
const [url = '', port = '0'] = process.argv.slice(2)
/** Counts and ids come as numbers, as the site has them. */
const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}
const pool = new pg.Pool({ connectionString: url, max: 12, types })

interface Row {
  tags: unknown
  operator: unknown
}
const ask = async <R extends pg.QueryResultRow>(name: string, text: string, ...values: unknown[]): Promise<R[]> =>
  (await pool.query<R>({ name, text, values })).rows

async function newest(page: number): Promise<object> {
  const [[size], list] = await Promise.all([
    ask<{ listed: number }>('size', 'select listed from experiences__counter where id = 1'),
    ask<Row>('list', newestItems('$1'), (page - 1) * PAGE),
  ])
  const ns = list.map(({ tags }) => tags)
  const [tags, cards] = await Promise.all([
    ask<{ post: number; slug: string; name: string }>(
      'tags',
      `select r.experience_id as post, t.slug, t.display_name as name from tags__relation r join tags__tag t on t.id = r.tag_id
      where r.experience_id = any($1) order by r.experience_id, r.position`,
      ns,
    ),
    ask<{ id: string }>(
      'cards',
      `select cast(id as text) as id, username, rank, display_name, state as status, avatar_custom as avatar
      from accounts__profile where id = any($1)`,
      list.map(({ operator }) => operator),
    ),
  ])
  const tagsOf = Map.groupBy(tags, ({ post }) => post)
  const people = new Map(cards.map((card) => [Number(card.id), card]))
  for (const row of list) {
    row.tags = (tagsOf.get(row.tags as number) ?? []).map(tagView)
    row.operator = people.get(row.operator as number)
  }
  return { count: size?.listed ?? 0, list }
}

const app = fastify()
app.get<{ Params: { page: string } }>('/list/newest/:page', async ({ params }) => ({
  code: 200,
  reason: 'base.success',
  msg: '成功。',
  data: await newest(Number(params.page)),
}))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('disconnect', () => process.exit())
process.send?.('ready')
