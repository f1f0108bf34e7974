import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const LEFT_OUT = new Set(['.git', 'node_modules', 'build', 'data', 'dist'])
/** Among the packages, but not of them. The runner of this very test writes to some, and takes files away while others are looked at. */
const NO_PACKAGES = new Set(['@stoa', '.cache', '.vite', '.vite-temp', '.vitest-cache'])

export interface CheckoutCopy {
  /** `<parent>/stoa` */
  folder: string
  /** Empty besides. */
  parent: string
  remove(): void
}

/**
 * What is installed, without another copy of it; workspaces are the copy's own. Files are the same ones under another name: behind a link to
 * their folder, tools would take them for others than those they know from `build/.check`.
 */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (NO_PACKAGES.has(entry.name)) continue
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (entry.isDirectory()) linkPackages(source, target)
    else linkOrCopy(source, target)
  }
}

/** Folders for what is temporary may lie on another disk. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** A copy of this checkout, as it is after `npm ci` and a build for visitors, in which a test may write. */
export function copyCheckout(): CheckoutCopy {
  const parent = mkdtempSync(join(tmpdir(), 'stoa-copy-'))
  const folder = join(parent, 'stoa')
  mkdirSync(folder)
  for (const name of readdirSync(ROOT)) {
    // `data` of the repository itself is a site's; folders of that name further down are sources.
    if (LEFT_OUT.has(name)) continue
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (file) => !['node_modules', 'dist'].includes(basename(file)) })
  }
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const own = join('node_modules', '@stoa')
  mkdirSync(join(folder, own))
  for (const name of readdirSync(join(ROOT, own))) {
    symlinkSync(join(folder, relative(ROOT, realpathSync(join(ROOT, own, name)))), join(folder, own, name), 'junction')
  }
  // What is built or checked already is not once more: that takes as long as all the rest of such a test.
  for (const name of ['core', 'host', 'plugins', '.check'].filter((name) => existsSync(join(ROOT, 'build', name))))
    cpSync(join(ROOT, 'build', name), join(folder, 'build', name), { recursive: true, preserveTimestamps: true })
  return { folder, parent, remove: () => rmSync(parent, { recursive: true, force: true }) }
}
