import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { job } from '@stoa/sdk/server'
import { expect, it } from 'vitest'
import { describeOnEach, signal } from '../test-data.ts'

describeOnEach('after a process was killed', (store) => {
  it('its undelivered event is delivered and its job runs again', async () => {
    const there = await store()
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('crash-child.ts', import.meta.url)), there.dataDir, there.databaseUrl ?? ''],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const data = await there.open({ now: () => Math.floor(Date.now() / 1000) })
    const delivered = signal<number>()
    const worked = signal<string>()
    data.outbox.subscribe('notes', 'all', 'notes.noted', {}, ({ n }: { n: number }) => delivered.resolve(n))
    data.jobs.handle('notes', job<string>('notes.work'), (text) => worked.resolve(text))
    expect(await delivered.promise).toBe(1)
    expect(await worked.promise).toBe('once')
  })
})
