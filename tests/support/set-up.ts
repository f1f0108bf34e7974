import { join } from 'node:path'
import { buildSite } from '../../host-server/cli/site-build.ts'
import { prepareChromium } from './browser.ts'
import { postgres } from './databases.ts'

/** Before everything: what is stale is built, a browser is there; afterwards: what was started for this run ends. */
export default async function setUp(): Promise<() => void> {
  // Every site of a test opens worker threads, and some open processes: without it each takes the types out of the same files again.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', 'build', '.compiled')
  await buildSite({ mode: 'production' })
  prepareChromium()
  return () => postgres?.stop()
}
