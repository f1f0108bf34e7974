import { buildSite } from '../../host-server/cli/site-build.ts'
import { findChromium } from './browser.ts'
import { postgres } from './databases.ts'

/** Before everything: what is stale is built, a browser is there; afterwards: what was started for this run ends. */
export default async function setUp(): Promise<() => void> {
  await buildSite({ mode: 'production' })
  findChromium()
  return () => postgres?.stop()
}
