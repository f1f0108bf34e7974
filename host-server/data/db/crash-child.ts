/** A process for `crash.test.ts`: stores an event and a job, says so, and is killed while their handlers hang. */
import { event, job } from '@stoa/sdk/server'
import { openData } from '../index.ts'

const [dataDir, databaseUrl] = process.argv.slice(2) as [string, string | undefined]
const data = await openData({ dataDir, ...(databaseUrl && { databaseUrl }), leaseSeconds: 1, log: () => {} })
const forever = () => new Promise<void>(() => setInterval(() => {}, 1000))
await data.outbox.subscribe('notes', 'all', 'notes.noted', {}, forever).ready
const running = Promise.withResolvers<void>()
data.jobs.handle('notes', job<string>('notes.work'), async () => {
  running.resolve()
  await forever()
})
await data.database.write(async () => {
  await data.outbox.emit('notes', event<{ n: number }>('notes.noted'), { n: 1 })
  await data.jobs.enqueue(job<string>('notes.work'), 'once')
})
await running.promise
process.stdout.write('committed')
