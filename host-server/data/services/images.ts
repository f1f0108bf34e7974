import { AsyncResource } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Images } from '@stoa/sdk/server'
import { createTurns } from '@stoa/sdk/server'
import { sourceFile } from '../../shared/source-file.ts'

export interface ImageTask {
  what: keyof Images
  data: Uint8Array
  /** Of a thumbnail, in pixels. */
  edge?: number
}
export type ImageFacts = Awaited<ReturnType<Images['inspect']>> & { frames: number }
export type ImageReply = { made: ImageFacts | Uint8Array } | { error: string }

/** Pictures that wait at most, of all and of one person: a page sends ten at once, and what waits is in memory. */
const MOST_WAITING = 32
const MOST_OF_ONE = 16
/** What a picture may take; a photograph of 40 million pixels takes two seconds. */
const PATIENCE_MS = 15_000
/** A process without work costs memory. */
const IDLE_MS = 20_000

export interface ImageProcess extends Images {
  close(): Promise<void>
}

/**
 * Pictures by libvips, in a process of their own that begins with the first and ends when there are no more: one after the other, so that
 * neither threads nor memory of the site are used up by who sends many.
 * @param caller who asks now: callers take turns
 * @param patienceMs after which a picture is given up
 */
export function createImages(caller: () => string = () => '', patienceMs = PATIENCE_MS): ImageProcess {
  // The process belongs to nobody's request, though somebody's is the first that needs it.
  const outside = new AsyncResource('stoa.images')
  const turns = createTurns({ most: MOST_WAITING, mostOfOne: MOST_OF_ONE, idleMs: IDLE_MS, rest: () => void end() })
  let child: ChildProcess | undefined
  let received: ((reply: ImageReply) => void) | undefined

  function begin(): ChildProcess {
    const file = fileURLToPath(sourceFile('data/services/image-process.ts'))
    const options = {
      serialization: 'advanced' as const,
      // Nothing of the site's surroundings: a decoder that is broken into finds no passwords there.
      env: { UV_THREADPOOL_SIZE: '2', ...(process.env.PATH && { PATH: process.env.PATH }) },
      execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as ['ignore', 'ignore', 'ignore', 'ipc'],
    }
    const started = outside.runInAsyncScope(() => fork(file, options))
    const answer = (reply: ImageReply) => {
      if (started === child) received?.(reply)
    }
    started.on('message', (reply: ImageReply) => answer(reply))
    started.on('error', (error) => answer({ error: error.message }))
    started.on('exit', (code, signal) => {
      answer({ error: `the process of pictures ended (${signal ?? code})` })
      if (started === child) child = undefined
    })
    try {
      if (started.pid) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // Not allowed, or gone already: then they share as equals.
    }
    return started
  }

  async function end(): Promise<void> {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await gone
  }

  const run = (task: ImageTask): Promise<ImageFacts | Uint8Array> =>
    turns.take(
      async () => {
        child ??= begin()
        const { promise, resolve } = Promise.withResolvers<ImageReply>()
        received = resolve
        const timer = setTimeout(resolve, patienceMs, { error: `it took more than ${patienceMs} ms` })
        child.send(task, (error) => error && resolve({ error: error.message }))
        const reply = await promise
        clearTimeout(timer)
        received = undefined
        if ('made' in reply) return reply.made
        // Whatever it is at, it may not be done.
        await end()
        throw new Error(`The picture could not be worked on: ${reply.error}`)
      },
      { of: caller() },
    )

  const bytes = async (task: ImageTask): Promise<Buffer> => {
    const { buffer, byteOffset, byteLength } = (await run(task)) as Uint8Array
    return Buffer.from(buffer, byteOffset, byteLength)
  }
  return {
    inspect: async (data) => (await run({ what: 'inspect', data })) as ImageFacts,
    clean: (data) => bytes({ what: 'clean', data }),
    thumbnail: (data, edge) => bytes({ what: 'thumbnail', data, edge }),
    async close() {
      turns.close()
      await end()
    },
  }
}
