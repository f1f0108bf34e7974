import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Entry {
  resolved?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}

/** Where `name` would be found from the package at `from`, as Node looks for it. */
function isLocked(from: string, name: string): boolean {
  const parts = from.split('/node_modules/')
  return (
    parts.some((_, i) => `${parts.slice(0, i + 1).join('/node_modules/')}/node_modules/${name}` in lock.packages) ||
    `node_modules/${name}` in lock.packages
  )
}

describe('package-lock.json', () => {
  it('names no registry', () => {
    expect(Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.startsWith('http'))).toEqual([])
  })

  it('has browsers driven by a package that fetches none when it is installed', () => {
    for (const name of ['playwright', 'playwright-core']) {
      expect(lock.packages).toHaveProperty([`node_modules/${name}`])
      expect(lock.packages[`node_modules/${name}`]?.hasInstallScript).toBeUndefined()
    }
  })

  it('names the optional packages of every platform; without them "npm ci" refuses to install where one cannot be looked up', () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      path === '' ? [] : Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    )
    expect(missing).toEqual([])
  })
})
