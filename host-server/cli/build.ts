import { readConfig } from '../config.ts'
import { buildSite } from './site-build.ts'

const started = performance.now()
try {
  // What cannot be started is not built first.
  if (process.argv.includes('--start')) readConfig(process.env)
  const built = await buildSite({ mode: 'production', force: process.argv.includes('--force') })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (built.length > 0) console.log(`Built ${built.join(', ')} in ${seconds} s`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
