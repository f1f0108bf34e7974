import Database from 'better-sqlite3'
import fastify from 'fastify'

/** Plain fastify that inserts a post in one durable transaction, with hand-written statements. Started with a copy of the data and the port. */
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
const write = db.transaction((title: string, content: string, tags: { slug_name: string }[]) => {
  const { lastInsertRowid } = post.run({ at: Math.floor(Date.now() / 1000), title, excerpt: content.slice(0, 200) })
  body.run(lastInsertRowid, content, content)
  for (const [position, { slug_name }] of tags.entries()) tagged.run(lastInsertRowid, tagOf.get(slug_name), position)
  return Number(lastInsertRowid)
})

const app = fastify()
app.post<{ Body: { title: string; content: string; tags: { slug_name: string }[] } }>('/post', ({ body: { title, content, tags } }) => ({
  code: 200,
  reason: 'base.success',
  msg: '',
  data: { id: write.immediate(title, content, tags) },
}))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('disconnect', () => process.exit())
process.send?.('ready')
