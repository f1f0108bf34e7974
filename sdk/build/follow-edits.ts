import { cpSync, existsSync, mkdirSync, renameSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { buildPlugins } from './build-plugins.ts'

/** Files are written in bursts. */
const BURST_MS = 100

export interface FollowOptions {
  /** Of the plugin. */
  folder: string
  /** Data directory of the site. */
  data: string
  /** A line for whoever develops. */
  say(line: string): void
}

/**
 * Builds a plugin after each edit and puts it into `plugins/` of a site's data directory, from where the site takes it within seconds: listed off the
 * first time, later in place of what runs. What does not build leaves the version before. Never ends by itself.
 * @throws when there is no such data directory
 */
export async function followEdits({ folder, data, say }: FollowOptions): Promise<void> {
  if (!existsSync(data)) throw new Error(`${data} is no folder; --data names the data directory of a site, as STOA_DATA does`)
  const out = join(folder, '.stoa', 'dev')
  const plugins = join(data, 'plugins')

  async function take(): Promise<void> {
    const started = performance.now()
    const { built, fresh, failed, warnings } = await buildPlugins({ folders: [folder], out, mode: 'production' })
    for (const { text } of warnings) say(`warning: ${text}`)
    if (failed.length > 0) return say(`Not built; the version before goes on\n${failed.flatMap(({ errors }) => errors).join('\n')}`)
    const [slug = ''] = [...built, ...fresh]
    mkdirSync(plugins, { recursive: true })
    // Beside it first: the site must not see half of it.
    const beside = join(plugins, `.${slug}-${process.pid}`)
    rmSync(beside, { recursive: true, force: true })
    cpSync(join(out, slug), beside, { recursive: true })
    rmSync(join(plugins, slug), { recursive: true, force: true })
    renameSync(beside, join(plugins, slug))
    say(`${slug}: built in ${Math.round(performance.now() - started)} ms; the site takes it within seconds`)
  }

  await take()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  watch(folder, { recursive: true }, (_, file) => {
    if (!file || /(^|[\\/])(node_modules|tests|dist|\.[^\\/]*)([\\/]|$)/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      working = working.then(take).catch((error) => say((error as Error).message))
    }, BURST_MS)
  })
  await new Promise<never>(() => {})
}
