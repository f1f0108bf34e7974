import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../config.ts'
import { builtCommands } from './built-commands.ts'

/** `npm start`: builds what is stale, then serves in this very process, so that signals and the exit code are the server's own. */
try {
  readConfig(process.env)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** In a process of its own: the compiler would stay in the server's memory. */
const building = new Promise((resolve) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
  // Listeners that were there before end this process; so that the build ends too.
  process.once('exit', () => child.kill())
  child.once('exit', resolve)
})
// Meanwhile, on another processor, where that was built already.
const standing = await builtCommands()
await standing?.kernel()
if ((await building) !== 0) process.exit(1)
const { main } = standing ?? (await builtCommands()) ?? (await import('../commands.ts'))
await main()
