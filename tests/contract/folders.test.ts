import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkManifest } from '@stoa/sdk/kernel'
import { describe, expect, it } from 'vitest'
import { plugins } from '../support/plugins.ts'

describe.each(plugins)('the folder of $slug', ({ slug, folder, manifest }) => {
  it('is named after its slug', () => {
    expect(folder.endsWith(`/${slug}`)).toBe(true)
  })

  it('has a valid manifest', () => {
    expect(checkManifest(manifest)).toEqual({ ok: manifest })
  })

  it('has every file that the manifest names', () => {
    const { routes = [], slots = [], styles = [] } = manifest.contributes ?? {}
    const named = [...routes.map((route) => route.module), ...slots.map((slot) => slot.module), ...styles]
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  })

  it('says in a README of ten to thirty lines what it adds', () => {
    const lines = readFileSync(join(folder, 'README.md'), 'utf8').trim().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(5)
    expect(lines.length).toBeLessThanOrEqual(40)
  })

  it('has the same version in plugin.json and package.json', () => {
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version).toBe(manifest.version)
  })
})

it('gives each code of a kind to one plugin', () => {
  const codes = plugins.flatMap(({ manifest }) => Object.values(manifest.kinds ?? {}))
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})

it('needs only services that some plugin provides', () => {
  const provided = new Set(plugins.flatMap(({ manifest }) => Object.keys(manifest.provides ?? {})))
  const missing = plugins.flatMap(({ slug, manifest }) =>
    Object.keys(manifest.needs ?? {})
      .filter((id) => !provided.has(id))
      .map((id) => `${slug} needs ${id}`),
  )
  expect(missing).toEqual([])
})
