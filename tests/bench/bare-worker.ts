import Database from 'better-sqlite3'
import fastify from 'fastify'
import { bareDetails } from './bare-details.ts'
import { bareLists, bareTags } from './bare-lists.ts'

/**
 * What the site is measured against: plain fastify with hand-written statements on the same file, one process, the same JSON.
 * Started with the file and the port; tells its parent when it serves, and what CPU time it used when asked.
 */
const [file = '', port = '0'] = process.argv.slice(2)
const db = new Database(file, { readonly: true, fileMustExist: true })
db.pragma('mmap_size = 268435456')
db.pragma('cache_size = -32000')
db.pragma('temp_store = memory')

const app = fastify()
const tagsOf = bareTags(db)
const envelope = (data: unknown) => ({ code: 200, reason: 'base.success', msg: '成功。', data })
for (const [order, list] of Object.entries(bareLists(db, tagsOf))) {
  app.get<{ Params: { page: string } }>(`/list/${order}/:page`, ({ params }) => envelope(list(Number(params.page))))
}
for (const [part, read] of Object.entries(bareDetails(db, tagsOf))) {
  app.get<{ Params: { n: string } }>(`/${part}/:n`, ({ params }) => envelope(read(Number(params.n))))
}
app.get('/hello', () => envelope({ hello: 'world' }))

await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('disconnect', () => process.exit())
process.send?.('ready')
