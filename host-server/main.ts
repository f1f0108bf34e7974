import { mkdirSync } from 'node:fs'
import { buildFolders, packageMemoryIn } from './cli/site-folders.ts'
import { ConfigError, readConfig } from './config.ts'
import { startKernel } from './kernel.ts'
import { leaveOnSignal } from './leave.ts'
import { PRIVATE_FOLDER } from './shared/private-files.ts'
import { reservedSlugs } from './shared/reserved-slugs.ts'
import type { RunRecord } from './shared/run-record.ts'
import { openRunRecord } from './shared/run-record.ts'
import type { LogFunction } from './shared/types.ts'

const log: LogFunction = (level, slug, message, details) => {
  const { stack, ...rest } = (details ?? {}) as { stack?: string }
  const extra = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
  const line = `${new Date().toISOString()} ${level} ${slug}: ${message}${extra}`
  if (level === 'info') console.log(line)
  else console.error(stack ? `${line}\n${stack}` : line)
}

/** One sentence for what an operator can act on, and the exit code 1. */
function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function explain(error: NodeJS.ErrnoException, port: number): string {
  if (error instanceof ConfigError) return error.message
  if (error.code === 'EADDRINUSE') return `PORT is "${port}", which another process uses; choose a free one.`
  if (error.code === 'EACCES' && error.syscall === 'listen') return `PORT is "${port}", which this user may not use; choose one above 1023.`
  return `Stoa did not start: ${error.message}`
}

const folders = buildFolders('production')
// Whatever a plugin or a library writes, too.
process.umask(0o077)
let port = 0
let run: RunRecord | undefined
try {
  const config = readConfig(process.env)
  port = config.port
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: PRIVATE_FOLDER })
  } catch (error) {
    refuse(
      `STOA_DATA is "${config.dataDir}", where no directory can be made (${(error as NodeJS.ErrnoException).code}); it must be a directory that can be written.`,
    )
  }
  run = openRunRecord(config.dataDir, config.port)
  const starting = startKernel({
    ...config,
    pluginDirs: [folders.plugins],
    reservedSlugs: reservedSlugs(),
    coreDir: folders.core,
    hostDir: folders.host,
    packageMemory: packageMemoryIn(folders),
    watchdog: true,
    trimsMemory: true,
    run,
    log,
  })
  leaveOnSignal(starting, run, log)
  log('info', 'kernel', `Ready at ${(await starting).url}`)
} catch (error) {
  // It says why it ends.
  run?.close()
  refuse(explain(error as NodeJS.ErrnoException, port))
}
