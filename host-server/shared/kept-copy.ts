import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Copies of the same file that stay: sites of one checkout may run several of its builds. */
const KEPT = 16

/**
 * A copy of a built file that later builds leave alone: threads that open hours after the start run what the process was started with.
 * It lies beside the folders of the build, where packages are found. Of a file system that nobody may write to, it is the file itself.
 * @param build the folder that the next build clears
 */
export function keptCopy(file: string, build: string): string {
  const folder = join(dirname(build), '.kept')
  const content = readFileSync(file)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const kept = join(folder, `${digest}.${basename(file)}`)
  try {
    mkdirSync(folder, { recursive: true })
    if (!existsSync(kept)) {
      const part = `${kept}.${process.pid}`
      writeFileSync(part, content)
      renameSync(part, kept)
    }
    const now = Date.now() / 1000
    utimesSync(kept, now, now)
    const copies = readdirSync(folder).filter((name) => name.endsWith(`.${basename(file)}`))
    const old = copies.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs })).sort((a, b) => b.at - a.at)
    for (const { name } of old.slice(KEPT)) rmSync(join(folder, name), { force: true })
  } catch {
    return file
  }
  return kept
}
