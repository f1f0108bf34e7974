import type { KernelOptions } from '../../host-server/kernel.ts'
import { startKernel } from '../../host-server/kernel.ts'

/** A site in a process of its own, as `npm start` makes one, with shorter limits. Options come as the first argument, in JSON. */
const options = JSON.parse(process.argv[2] as string) as Omit<KernelOptions, 'log'>
const kernel = await startKernel({
  ...options,
  log: (level, slug, message, details) => {
    if (level !== 'info')
      process.send?.({ log: `${level} ${slug}: ${message} ${(details as { stack?: string } | undefined)?.stack ?? ''}` })
  },
})
const { token } = await kernel.data.credentials.openSession(1)
process.on('message', async (message) => {
  if (message !== 'leave') return
  await kernel.close()
  process.exit(0)
})
process.send?.({ url: kernel.url, token })
