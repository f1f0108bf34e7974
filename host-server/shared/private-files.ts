import { closeSync, openSync, statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** Nobody else on the machine reads what people wrote to each other, or the codes of their mails. */
export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600

/** Makes an empty file that only its owner reads, where none is. */
export function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE))
}

export const isWithin = (folder: string, file: string): boolean => {
  const path = relative(folder, file)
  return !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`)
}

/**
 * What others on the machine may read of a site, as sentences for its owner, with how to mend it. Nobody gets past a folder that is closed.
 * @param file of the database; undefined where it is on a server
 */
export function opennessOf(dataDir: string, file: string | undefined): string[] {
  // Windows keeps rights elsewhere.
  if (process.platform === 'win32') return []
  const mode = (path: string) => statSync(path).mode & 0o777
  const said = (path: string, right: string, command: string) =>
    `${path} has the mode 0${mode(path).toString(8)}, so that others on this machine may look into it; it should be ${right}: run ${command}`
  if (mode(dataDir) & 0o077) return [said(dataDir, '0700', `chmod -R go= "${dataDir}"`)]
  if (file === undefined || isWithin(dataDir, file) || (mode(file) & 0o077) === 0) return []
  return [said(file, '0600', `chmod go= "${file}"*`)]
}
