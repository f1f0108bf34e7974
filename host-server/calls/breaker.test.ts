import { describe, expect, it } from 'vitest'
import type { Attempt } from './breaker.ts'
import { Breaker } from './breaker.ts'

const ask = (client: string, url = '/toy', body: unknown = {}): Attempt => ({ route: 'POST /toy', client, url, body })
const times = (count: number, fn: (index: number) => void) => Array.from({ length: count }, (_, index) => fn(index))

function start() {
  let now = 1_000_000
  const breaker = new Breaker(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { breaker, pass }
}

describe('a request that keeps failing', () => {
  it('rests for the one who repeats it, and for nobody else', () => {
    const { breaker } = start()
    times(5, () => breaker.failed(ask('ana', '/toy', { poison: true }), false))
    expect(breaker.openForMs(ask('ana', '/toy', { poison: true }))).toBeGreaterThan(0)
    expect(breaker.openForMs(ask('ben', '/toy', { poison: true }))).toBe(0)
    expect(breaker.openForMs(ask('ana', '/toy', { poison: false }))).toBe(0)
  })

  it('cannot be made to rest for others, with whatever inputs and however often', () => {
    const { breaker } = start()
    times(3000, (index) => breaker.failed(ask(`bot-${index % 50}`, '/toy', { poison: index }), false))
    expect(breaker.openForMs(ask('ana'))).toBe(0)
  })

  it('is tried once after its rest, and works again when that succeeds', () => {
    const { breaker, pass } = start()
    times(5, () => breaker.failed(ask('ana'), false))
    pass(11_000)
    expect(breaker.openForMs(ask('ana'))).toBe(0)
    expect(breaker.openForMs(ask('ana'))).toBeGreaterThan(0)
    breaker.succeeded(ask('ana'))
    expect(breaker.openForMs(ask('ana'))).toBe(0)
  })

  it('rests again when the trial fails', () => {
    const { breaker, pass } = start()
    times(5, () => breaker.failed(ask('ana'), false))
    pass(11_000)
    expect(breaker.openForMs(ask('ana'))).toBe(0)
    breaker.failed(ask('ana'), false)
    pass(9_000)
    expect(breaker.openForMs(ask('ana'))).toBeGreaterThan(0)
  })
})

describe('a call that hangs', () => {
  it('rests for everybody when several clients waited in vain and nobody was served', () => {
    const { breaker, pass } = start()
    times(5, (index) => breaker.failed(ask(`person-${index}`), true))
    expect(breaker.openForMs(ask('ana'))).toBeGreaterThan(0)
    pass(11_000)
    expect(breaker.openForMs(ask('ana'))).toBe(0)
    breaker.succeeded(ask('ana'))
    expect(breaker.openForMs(ask('ben'))).toBe(0)
  })

  it('does not rest while others are served', () => {
    const { breaker } = start()
    times(20, (index) => {
      breaker.failed(ask(`bot-${index}`, `/toy?${index}`), true)
      if (index % 4 === 3) breaker.succeeded(ask('ana'))
    })
    expect(breaker.openForMs(ask('ana'))).toBe(0)
  })

  it('does not rest for the sake of one client', () => {
    const { breaker } = start()
    times(100, (index) => breaker.failed(ask('bot', `/toy?${index}`), true))
    expect(breaker.openForMs(ask('ana'))).toBe(0)
  })
})
