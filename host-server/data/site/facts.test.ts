import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'

describeOnEach('settings', (store) => {
  it('merge, are read from memory after commit, and survive a restart', async () => {
    const there = await store()
    const data = await there.open()
    const heard: string[] = []
    data.settings.onChange((slug) => heard.push(slug))
    await data.settings.set('notes', { a: 1, b: { c: '一' } })
    await data.database.write(async () => {
      await data.settings.set('notes', { a: 2 })
      expect(data.settings.get('notes')).toMatchObject({ a: 1 })
    })
    await data.database
      .write(async () => {
        await data.settings.set('notes', { a: 3 })
        throw new Error('no')
      })
      .catch(() => {})
    expect(data.settings.get('notes')).toEqual({ a: 2, b: { c: '一' } })
    expect(data.settings.get('others')).toEqual({})
    expect(heard).toEqual(['notes', 'notes'])
    await data.close()
    expect((await there.open()).settings.all()).toEqual(new Map([['notes', { a: 2, b: { c: '一' } }]]))
  })

  it('lose nothing when two are saved at once', async () => {
    const data = await (await store()).open()
    await Promise.all(['a', 'b', 'c'].map((key) => data.settings.set('notes', { [key]: 1 })))
    expect(data.settings.get('notes')).toEqual({ a: 1, b: 1, c: 1 })
  })
})

describeOnEach('what members choose', (store) => {
  it('is kept per person and plugin, and goes with either', async () => {
    const data = await (await store()).open()
    const { id } = await data.credentials.create({ login: 'ana@example.org', password: 'password1', role: 1, state: 'normal' })
    for (const person of [id, id + 1])
      for (const slug of ['notes', 'letters']) await data.memberSettings.set(slug, person, { person, slug })
    await data.memberSettings.set('notes', id, { loud: true })
    expect(await data.memberSettings.get('notes', id)).toEqual({ loud: true })
    expect(await data.memberSettings.get('notes', id + 2)).toEqual({})
    await data.erase('letters')
    expect(await data.memberSettings.get('letters', id + 1)).toEqual({})
    await data.credentials.setState(id, 'deleted')
    expect(await data.memberSettings.get('notes', id)).toEqual({})
    expect(await data.memberSettings.get('notes', id + 1)).toEqual({ person: id + 1, slug: 'notes' })
  })
})

describeOnEach('facts of the site', (store) => {
  it('are stored without a slash at the end of the address', async () => {
    const there = await store()
    const data = await there.open()
    expect(data.site).toMatchObject({ url: '', language: 'zh_CN', isPrivate: false, installed: false })
    data.site.useAddress('http://127.0.0.1:3000')
    expect(data.site.url).toBe('http://127.0.0.1:3000')
    await data.site.set({ url: 'https://stoa.example/', name: '思朵', isPrivate: true })
    const expected = { url: 'https://stoa.example', name: '思朵', language: 'zh_CN', isPrivate: true }
    expect(data.site).toMatchObject(expected)
    await data.close()
    expect((await there.open()).site).toMatchObject(expected)
  })

  it('yield to the address of the environment', async () => {
    const data = await (await store()).open({ siteUrl: 'https://other.example/' })
    await data.site.set({ url: 'https://stoa.example' })
    expect(data.site.url).toBe('https://other.example')
  })
})

const switched = (enabled: Record<string, boolean>): Map<string, boolean> => new Map(Object.entries(enabled))

describeOnEach('switches of plugins', (store) => {
  it('raise the epoch, and only if nobody else did before', async () => {
    const data = await (await store()).open()
    expect(await data.plugins.load()).toEqual({ epoch: 1, enabled: new Map(), reasons: new Map(), packages: new Map(), safeMode: false })
    expect(await data.plugins.save(1, { enabled: switched({ notes: false, votes: true }) })).toBe(2)
    await expect(data.plugins.save(1, { enabled: switched({ notes: true }) })).rejects.toMatchObject({
      code: 'error.plugin.busy',
      params: { epoch: 2 },
    })
    await data.plugins.setReason('tags', 'broken')
    await data.plugins.setReason('notes', 'x')
    await data.plugins.setReason('notes', '')
    expect(await data.plugins.load()).toEqual({
      epoch: 2,
      enabled: switched({ notes: false, votes: true }),
      reasons: new Map([['tags', 'broken']]),
      packages: new Map(),
      safeMode: false,
    })
  })

  it('are won by one of two at once', async () => {
    const data = await (await store()).open()
    const results = await Promise.allSettled([
      data.plugins.save(1, { enabled: switched({ a: true }) }),
      data.plugins.save(1, { enabled: switched({ b: true }) }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await data.plugins.load()).epoch).toBe(2)
  })

  it('reach other processes', async () => {
    const there = await store()
    const [one, other] = [await there.open(), await there.open({ passive: true })]
    const heard = Promise.withResolvers<void>()
    other.plugins.onChange(() => heard.resolve())
    await one.plugins.save(1, { enabled: switched({ notes: false }) })
    await one.settings.set('notes', { a: 1 })
    await one.site.set({ name: 'Other' })
    await heard.promise
    await expect.poll(() => [other.settings.get('notes'), other.site.name], { timeout: 5000 }).toEqual([{ a: 1 }, 'Other'])
  })
})

describeOnEach('limits', (store) => {
  it('count within a window that slides, by action and key', async () => {
    const there = await store()
    const data = await there.open()
    const take = (key = 'ada') => data.limits.acquire('post', key, 2, 60)
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
    expect([await take('bob'), await data.limits.acquire('vote', 'ada', 1, 60)]).toEqual([true, true])
    there.time += 59
    expect(await take()).toBe(false)
    there.time += 1
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
  })

  it('let no more through when many come at once', async () => {
    const data = await (await store()).open()
    const results = await Promise.all(Array.from({ length: 20 }, () => data.limits.acquire('login', 'ada', 5, 60)))
    expect(results.filter(Boolean)).toHaveLength(5)
  })
})
