import { expect, it } from 'vitest'
import { createSlowTurns, roomAtServer } from './slow-turns.ts'

/** Reads that begin and end when a test says so, on a machine of four cores. */
function reader() {
  let ms = 0
  const rests: { ms: number; end(): void }[] = []
  const turns = createSlowTurns(
    roomAtServer(4),
    () => ms,
    (ms) => new Promise((end) => rests.push({ ms, end })),
  )
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const read = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve(name))))
  }
  return {
    turns,
    begun,
    rests,
    short: (name: string) => turns.short(read(name)),
    slow: (name: string, of = 'ana') => turns.slow(read(name), of),
    pass(more: number) {
      ms += more
    },
    async end(name: string, error?: Error) {
      ends.get(name)?.(error)
      await new Promise(setImmediate)
    },
  }
}
const names = (count: number) => Array.from({ length: count }, (_, n) => `slow ${n}`)
const settled = () => new Promise(setImmediate)

it('lets twice as many slow reads run as there are cores while nobody else reads', async () => {
  const { slow, begun, end, turns } = reader()
  const reads = names(10).map((name) => slow(name))
  await settled()
  expect(begun).toEqual(names(8))
  expect(turns.open).toEqual({ short: 0, slow: 10 })
  await end('slow 3')
  expect(begun).toEqual(names(9))
  for (const name of names(10)) await end(name)
  expect(await Promise.all(reads)).toEqual(names(10))
  expect(turns.open).toEqual({ short: 0, slow: 0 })
})

it('gives slow reads half of the cores while others read, and for a moment after that', async () => {
  const { short, slow, begun, end, pass } = reader()
  const others = ['short 0', 'short 1']
  for (const name of others) void short(name)
  for (const name of names(5)) void slow(name)
  await settled()
  expect(begun).toEqual([...others, 'slow 0', 'slow 1'])
  for (const name of others) await end(name)
  await end('slow 0')
  expect(begun).toEqual([...others, 'slow 0', 'slow 1', 'slow 2'])
  pass(1_000)
  await end('slow 1')
  expect(begun).toEqual([...others, ...names(5)])
})

it('leaves a place empty beside others for as long as the read before took, and no longer than 20 ms', async () => {
  const { short, slow, begun, end, pass, rests } = reader()
  void short('short')
  for (const name of names(4)) void slow(name)
  await settled()
  pass(7)
  await end('slow 0')
  expect(begun).toEqual(['short', 'slow 0', 'slow 1'])
  rests[0]?.end()
  await settled()
  expect(begun).toEqual(['short', 'slow 0', 'slow 1', 'slow 2'])
  pass(60)
  await end('slow 1')
  expect(rests.map((rest) => rest.ms)).toEqual([7, 20])
})

it('leaves no place empty while nobody else reads', async () => {
  const { slow, begun, end, pass, rests } = reader()
  for (const name of names(9)) void slow(name)
  await settled()
  pass(7)
  await end('slow 0')
  expect(begun).toEqual(names(9))
  expect(rests).toEqual([])
})

it('gives them all places between reads that come one at a time, such as replies to who writes', async () => {
  const { short, slow, begun, end, pass } = reader()
  for (let n = 0; n < 3; n++) {
    void short(`reply ${n}`)
    await settled()
    await end(`reply ${n}`)
    pass(150)
  }
  void short('reply 3')
  await settled()
  await end('reply 3')
  for (const name of names(5)) void slow(name)
  await settled()
  expect(begun.slice(4)).toEqual(names(5))
})

it('begins the next when one fails', async () => {
  const { short, slow, begun, end, turns } = reader()
  void short('short')
  const [failing] = names(3).map((name) => slow(name))
  const failed = expect(failing).rejects.toThrow('broken')
  await settled()
  await end('slow 0', new Error('broken'))
  await failed
  expect(begun).toEqual(['short', ...names(3)])
  expect(turns.open).toEqual({ short: 1, slow: 2 })
})

it('begins the next when one cannot begin', async () => {
  const { turns, short } = reader()
  void short('short')
  const throwing = () => {
    throw new Error('There is no such read')
  }
  for (let n = 0; n < 3; n++) await expect(turns.slow(throwing, 'ana')).rejects.toThrow('There is no such read')
  expect(await turns.slow(async () => 'read', 'ana')).toBe('read')
})

it('does not let those that take long hold up all others', async () => {
  const { turns, short, slow, begun, end } = reader()
  void short('short')
  void slow('slow 0')
  void slow('slow 1')
  expect(await turns.slow(async () => 'read beside them', 'ana')).toBe('read beside them')
  expect(begun).toEqual(['short', 'slow 0', 'slow 1'])
  // Their places have gone to others already.
  await end('slow 0')
  await end('slow 1')
  for (const name of ['a', 'b', 'c']) void slow(name)
  await settled()
  expect(begun.slice(3)).toEqual(['a', 'b'])
})

it('begins those of each who asks in turn: who asks for many waits for them, and nobody else does', async () => {
  const { slow, begun, end } = reader()
  for (const name of names(20)) void slow(name)
  void slow('of ben', 'ben')
  void slow('of eva', 'eva')
  await settled()
  expect(begun).toEqual(names(8))
  for (const name of names(3)) await end(name)
  expect(begun.slice(8)).toEqual(['slow 8', 'of ben', 'of eva'])
})
