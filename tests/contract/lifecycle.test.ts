import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plugins } from '../support/plugins.ts'
import { runningTimers, surfaceOf } from '../support/surface.ts'

describe('switching each plugin off and on, twice', () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.close())

  it('begins with everything on', () => {
    expect(site.plugins.list().filter((row) => row.state !== 'on' && row.reason !== '')).toEqual([])
    expect(site.errors).toEqual([])
  })

  const switchable = plugins.filter(({ manifest }) => !manifest.essential && !manifest.startsOff)
  it.each(switchable)('$slug leaves nothing behind and comes back complete', async ({ slug }) => {
    const before = await surfaceOf(site)
    // The one that waits below runs a timer of its own.
    const timers = Math.max(runningTimers(), 1)
    const on = () =>
      site.plugins
        .list()
        .filter((row) => row.state === 'on')
        .map((row) => row.slug)
    const all = on()
    for (let round = 0; round < 2; round++) {
      await site.switch(slug, false)
      const gone = all.filter((other) => !on().includes(other))
      expect(gone).toContain(slug)
      const without = await surfaceOf(site)
      expect(without.owners.filter((owner) => gone.includes(owner))).toEqual([])
      for (const other of gone.reverse()) if (!on().includes(other)) await site.switch(other, true)
      expect(await surfaceOf(site)).toEqual(before)
    }
    // Those of draining, of open connections and of threads that rest (30 s) end by themselves.
    await expect.poll(runningTimers, { timeout: 45_000 }).toBeLessThanOrEqual(timers)
    expect(site.errors).toEqual([])
  })

  it('refuses to switch what is essential', async () => {
    for (const { slug } of plugins.filter(({ manifest }) => manifest.essential)) {
      await expect(site.switch(slug, false)).rejects.toMatchObject({ code: 'error.plugin.essential' })
    }
  })
})

describe('each plugin with only what it needs', () => {
  it.each(plugins)('$slug starts on an empty database', async ({ slug }) => {
    const site = await startSite({ plugins: [slug] })
    try {
      const row = site.plugins.list().find((one) => one.slug === slug)
      expect(row?.reason).toBe('')
      expect(site.errors).toEqual([])
    } finally {
      await site.close()
    }
  })
})
