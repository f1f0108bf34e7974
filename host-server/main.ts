import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from './config.ts'
import type { LogFunction } from './kernel.ts'
import { startKernel } from './kernel.ts'

const built = (path: string) => fileURLToPath(new URL(`../build/${path}`, import.meta.url))

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

let port = 0
try {
  const config = readConfig(process.env)
  port = config.port
  try {
    mkdirSync(config.dataDir, { recursive: true })
  } catch (error) {
    refuse(
      `STOA_DATA is "${config.dataDir}", where no directory can be made (${(error as NodeJS.ErrnoException).code}); it must be a directory that can be written.`,
    )
  }
  const starting = startKernel({ ...config, pluginDirs: [built('plugins')], coreDir: built('core'), watchdog: true, log })
  let leaving = false
  const leave = async () => {
    if (leaving) return
    leaving = true
    log('info', 'kernel', 'Draining')
    // Asked to leave while it starts, it starts to the end first: half a migration would be worse.
    await starting.then((kernel) => kernel.close()).catch(() => undefined)
    process.exit(0)
  }
  // Until here there was nothing to drain.
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT')
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
  log('info', 'kernel', `Ready at ${(await starting).url}`)
} catch (error) {
  refuse(explain(error as NodeJS.ErrnoException, port))
}
