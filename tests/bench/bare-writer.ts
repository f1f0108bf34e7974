import Database from 'better-sqlite3'
import fastify from 'fastify'
import { tokensOfText } from '../../sdk/server/tokens-of-text.ts'

/**
 * Plain fastify that inserts a post in one durable transaction, with hand-written statements: under `/post` the post with its text and tags, under
 * `/whole` all that a post is at the end, which is also its places in the lists of its tags, its first revision, the counters, and its words for search.
 * Started with a copy of the data and the port.
 */
const [file = '', port = '0'] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = wal')
db.pragma('synchronous = full')
db.pragma('cache_size = -64000')
db.pragma('mmap_size = 268435456')
const post = db.prepare(
  'insert into experiences__post (author_id, created_at, active_at, title, url_title, excerpt) values (1, @at, @at, @title, @title, @excerpt)',
)
const body = db.prepare('insert into experiences__body (post_id, content, html) values (?, ?, ?)')
const tagOf = db.prepare<[string], number>('select id from tags__tag where slug = ?').pluck()
const tagged = db.prepare('insert into tags__relation (experience_id, tag_id, position, listed) values (?, ?, ?, 1)')

const place = db.prepare(
  `insert into experiences__group (name, post_id, tier, open_tier, created_at, active_at, hot_score, vote_count, view_count, linked_count)
  values (?, ?, 1, 1, ?, ?, 0, 0, 0, 0)`,
)
const tagCount = db.prepare('update tags__tag set experience_count = experience_count + 1 where id = ?')
const authorCount = db.prepare('update accounts__profile set experience_count = experience_count + 1 where id = 1')
const siteCount = db.prepare('update experiences__counter set listed = listed + 1, open = open + 1, version = version + 1 where id = 1')
const revision = db.prepare(
  `insert into history__revision (object_kind, object_n, root_kind, root_n, editor_id, status, position, created_at, stored_at, text)
  values ('experience', @n, 'experience', @n, 1, 0, 1, @at, @at, @text)`,
)
const searched = db.prepare(
  `insert into search__document (id, kind, n, experience, votes, answers, views, accepted, visible, active_at, text_hash)
  values (@id, 'experience', @n, @n, 0, 0, 0, 0, 1, @at, @hash)`,
)
const words = db.prepare('insert into search__text (rowid, words) values (?, ?)')

interface Written {
  title: string
  content: string
  tags: { slug_name: string }[]
}

function insert({ title, content, tags }: Written): { n: number; at: number; tagIds: number[] } {
  const at = Math.floor(Date.now() / 1000)
  const n = Number(post.run({ at, title, excerpt: content.slice(0, 200) }).lastInsertRowid)
  body.run(n, content, content)
  const tagIds = tags.map(({ slug_name }) => tagOf.get(slug_name) as number)
  for (const [position, id] of tagIds.entries()) tagged.run(n, id, position)
  return { n, at, tagIds }
}

function insertWhole(written: Written): number {
  const { n, at, tagIds } = insert(written)
  for (const id of tagIds) {
    place.run(`tag:${id}`, n, at, at)
    tagCount.run(id)
  }
  revision.run({ n, at, text: JSON.stringify(written) })
  const id = at * 2 ** 20 + (n % 2 ** 19)
  searched.run({ id, n, at, hash: written.title })
  words.run(BigInt(id), tokensOfText(`${written.title} ${written.content}`).join(' '))
  authorCount.run()
  siteCount.run()
  return n
}

const write = db.transaction((written: Written) => insert(written).n)
const writeWhole = db.transaction(insertWhole)

const app = fastify()
const reply = (id: number) => ({ code: 200, reason: 'base.success', msg: '', data: { id } })
app.post<{ Body: Written }>('/post', ({ body }) => reply(write.immediate(body)))
app.post<{ Body: Written }>('/whole', ({ body }) => reply(writeWhole.immediate(body)))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('disconnect', () => process.exit())
process.send?.('ready')
