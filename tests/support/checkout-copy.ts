import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const LEFT_OUT = new Set(['.git', 'node_modules', 'build', 'data', 'dist'])

export interface CheckoutCopy {
  /** `<parent>/stoa` */
  folder: string
  /** Empty besides. */
  parent: string
  remove(): void
}

/** What is installed, without another copy of it; workspaces are the copy's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (!['@stoa', '.vite', '.cache'].includes(name)) symlinkSync(join(from, name), join(to, name), 'junction')
  }
}

/** A copy of this checkout, as it is after `npm ci`, in which a test may write. */
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
  return { folder, parent, remove: () => rmSync(parent, { recursive: true, force: true }) }
}
