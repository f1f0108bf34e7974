import { outgoingErrors } from '@stoa/sdk/server'

/** Requests to one host at the same time; further ones wait their turn. */
const AT_ONCE = 8
/** That wait for one host. */
const MOST_WAITING = 64
/** So many without a reply in a row, and the host is left alone for a while: longer each time, up to the most. */
const FAILURES = 5
const REST_SECONDS = 15
const MOST_REST_SECONDS = 240
/** Hosts that are remembered because they gave no reply. */
const MOST_HOSTS = 1000

interface Called {
  active: number
  waiting: (() => void)[]
  failures: number
  restSeconds: number
  restsUntil: number
  /** One request is finding out whether the host is back. */
  isTried: boolean
}

/** How hosts are called that may be slow or down: so that one of them holds up neither this site nor itself. */
export class CalledHosts {
  readonly #hosts = new Map<string, Called>()
  readonly #now: () => number

  /** @param now milliseconds that only go forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * @param host whom `work` asks
   * @param isNoReply whether an error of `work` means that the host gave none
   * @throws `error.outgoing.resting`, `error.outgoing.busy`
   */
  async call<T>(host: string, signal: AbortSignal, work: () => Promise<T>, isNoReply: (error: unknown) => boolean): Promise<T> {
    const called = this.#of(host)
    this.#refuse(host, called)
    await this.#turn(host, called, signal)
    let isTrial = false
    try {
      // Others may have found out meanwhile that nobody answers.
      this.#refuse(host, called)
      isTrial = called.restsUntil > 0
      if (isTrial) called.isTried = true
      const reply = await work()
      called.failures = 0
      called.restSeconds = REST_SECONDS
      called.restsUntil = 0
      return reply
    } catch (error) {
      if (isNoReply(error)) this.#failed(called)
      throw error
    } finally {
      if (isTrial) called.isTried = false
      this.#next(host, called)
    }
  }

  #of(host: string): Called {
    const known = this.#hosts.get(host)
    if (known) return known
    const fresh: Called = { active: 0, waiting: [], failures: 0, restSeconds: REST_SECONDS, restsUntil: 0, isTried: false }
    this.#hosts.set(host, fresh)
    return fresh
  }

  #refuse(host: string, { restsUntil, isTried }: Called): void {
    const ms = restsUntil - this.#now()
    if (ms > 0) throw outgoingErrors.resting({ host, seconds: Math.ceil(ms / 1000) })
    if (isTried) throw outgoingErrors.resting({ host, seconds: 1 })
  }

  async #turn(host: string, called: Called, signal: AbortSignal): Promise<void> {
    if (called.active < AT_ONCE) {
      called.active++
      return
    }
    if (called.waiting.length >= MOST_WAITING) throw outgoingErrors.busy({ host })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const go = () => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    const end = () => {
      called.waiting = called.waiting.filter((one) => one !== go)
      reject(signal.reason)
    }
    if (signal.aborted) throw signal.reason
    signal.addEventListener('abort', end, { once: true })
    called.waiting.push(go)
    // Whoever ends hands its place on.
    await promise
  }

  #next(host: string, called: Called): void {
    const next = called.waiting.shift()
    if (next) return next()
    called.active--
    if (called.active > 0) return
    if (called.failures === 0) this.#hosts.delete(host)
    else this.#forgetOldest()
  }

  #failed(called: Called): void {
    called.failures++
    if (called.failures < FAILURES || called.restsUntil > this.#now()) return
    called.restsUntil = this.#now() + called.restSeconds * 1000
    called.restSeconds = Math.min(2 * called.restSeconds, MOST_REST_SECONDS)
  }

  /** Names come from outside. */
  #forgetOldest(): void {
    for (const [host, { active }] of this.#hosts) {
      if (this.#hosts.size <= MOST_HOSTS) return
      if (active === 0) this.#hosts.delete(host)
    }
  }
}
