import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'

describeOnEach('what is kept for a short time', (store) => {
  it('is taken once, in time, and by the plugin that keeps it', async () => {
    const there = await store()
    const { once } = await there.open()
    const [notes, other] = [once.of('notes'), once.of('other')]
    await notes.keep('x'.repeat(5000), { a: ['b', 1] }, { seconds: 60 })
    expect(await other.take('x'.repeat(5000))).toBeUndefined()
    expect(await notes.take('x'.repeat(4999))).toBeUndefined()
    expect(await notes.take('x'.repeat(5000))).toEqual({ a: ['b', 1] })
    expect(await notes.take('x'.repeat(5000))).toBeUndefined()
    await notes.keep('again', 1, { seconds: 60 })
    await notes.keep('again', 2, { seconds: 60 })
    expect(await notes.take('again')).toBe(2)
    await notes.keep('late', 1, { seconds: 60 })
    there.time += 60
    expect(await notes.take('late')).toBeUndefined()
    await expect(notes.keep('large', 'x'.repeat(9000), { seconds: 60 })).rejects.toThrow('at most')
  })

  it('goes to one of many that take it at once', async () => {
    const { once } = await (await store()).open()
    const notes = once.of('notes')
    await notes.keep('key', 'value', { seconds: 60 })
    const taken = await Promise.all(Array.from({ length: 10 }, () => notes.take('key')))
    expect(taken.filter((value) => value === 'value')).toHaveLength(1)
  })

  it('stays where the work around it is undone', async () => {
    const { once, database } = await (await store()).open()
    const notes = once.of('notes')
    await notes.keep('key', 'value', { seconds: 60 })
    const undone = database.write(async () => {
      await notes.take('key')
      await notes.keep('other', 'value', { seconds: 60 })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect([await notes.take('key'), await notes.take('other')]).toEqual(['value', undefined])
  })

  it('counts within a window that begins with the first', async () => {
    const there = await store()
    const { once } = await there.open()
    const count = (key: string) => once.of('notes').count(key, { seconds: 60 })
    const counts = await Promise.all(Array.from({ length: 8 }, () => count('ada')))
    expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect([await count('ben'), await once.of('other').count('ada', { seconds: 60 })]).toEqual([1, 1])
    there.time += 59
    expect(await count('ada')).toBe(9)
    there.time += 1
    expect([await count('ada'), await count('ada')]).toEqual([1, 2])
  })

  it('makes room within its group, and is swept when its time is over', async () => {
    const there = await store()
    const { once, database } = await there.open()
    const notes = once.of('notes')
    const left = async () => (await database.query.selectFrom('kernel__once').select('key').execute()).length
    for (let n = 0; n < 5; n++) {
      await notes.keep(`ada ${n}`, n, { seconds: 60, group: 'ada', most: 3 })
      there.time += 1
    }
    await notes.keep('ben', 'of ben', { seconds: 60, group: 'ben', most: 3 })
    expect(await Promise.all([0, 1, 2, 3, 4].map((n) => notes.take(`ada ${n}`)))).toEqual([undefined, undefined, 2, 3, 4])
    expect(await left()).toBe(1)
    await once.clean()
    expect(await left()).toBe(1)
    there.time += 60
    await once.clean()
    expect(await left()).toBe(0)
  })
})

describeOnEach(
  'what several nodes keep',
  (store) => {
    it('is the same on each, and goes to one of them', async () => {
      const there = await store()
      const [here, elsewhere] = [(await there.open()).once.of('notes'), (await there.open()).once.of('notes')]
      await here.keep('key', 'value', { seconds: 60 })
      const taken = await Promise.all([here, elsewhere, here, elsewhere].map((once) => once.take('key')))
      expect(taken.filter((value) => value === 'value')).toHaveLength(1)
      await here.count('ada', { seconds: 60 })
      expect(await elsewhere.count('ada', { seconds: 60 })).toBe(2)
    })
  },
  'postgres',
)
