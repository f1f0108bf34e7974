import type { KernelOptions } from '../../host-server/kernel.ts'
import { startKernel } from '../../host-server/kernel.ts'
import { leaveOnSignal } from '../../host-server/leave.ts'
import { openRunRecord } from '../../host-server/shared/run-record.ts'
import type { LogFunction } from '../../host-server/shared/types.ts'

/** A site in a process of its own, as `npm start` makes one, with shorter limits. Options come as the first argument, in JSON. */
const options = JSON.parse(process.argv[2] as string) as Omit<KernelOptions, 'log'>
const log: LogFunction = (level, slug, message, details) => {
  if (level !== 'info') process.send?.({ log: `${level} ${slug}: ${message} ${(details as { stack?: string } | undefined)?.stack ?? ''}` })
}
const run = openRunRecord(options.dataDir, options.port)
const starting = startKernel({ ...options, run, log })
leaveOnSignal(starting, run, log)
const kernel = await starting
const { token } = await kernel.data.credentials.openSession(1)
process.send?.({ url: kernel.url, token })
