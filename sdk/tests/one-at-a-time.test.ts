import { expect, test } from 'vitest'
import { oneAtATime } from '../server/one-at-a-time.ts'

test('who calls while the work runs waits for the same run, and how it ends is told to all; then it is done again', async () => {
  const runs: PromiseWithResolvers<string>[] = []
  const pass = oneAtATime(() => {
    const run = Promise.withResolvers<string>()
    runs.push(run)
    return run.promise
  })
  const first = [pass(), pass()]
  runs[0]?.resolve('done')
  expect(await Promise.all(first)).toEqual(['done', 'done'])

  const second = Promise.allSettled([pass(), pass()])
  runs[1]?.reject(new Error('The disk is full'))
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

  const third = pass()
  runs[2]?.resolve('done again')
  expect(await third).toBe('done again')
  expect(runs).toHaveLength(3)
})
