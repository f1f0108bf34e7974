import { createHash } from 'node:crypto'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, posted } from '../../experiences/testing/index.ts'

const API = '/answer/api/v1'
const FAILED = 'error.captcha.verification_failed'

interface Work {
  challenge: string
  salt: string
  maxnumber: number
}

function solve({ challenge, salt, maxnumber }: Work): string {
  for (let number = 0; number <= maxnumber; number++)
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return String(number)
  throw new Error('There is no answer')
}

/** Who sends calls: a person of the test, or somebody at another address. */
interface Poster {
  post<T>(path: string, body: unknown): Promise<{ status: number; reason: string; data: T }>
}

describe('a captcha', () => {
  let site: Site
  let post: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['votes', 'comments', 'answers', 'captcha', 'captcha-pow', 'two-factor'], trustProxy: ['127.0.0.1'] })
    post = await posted(await site.admin(), { title: 'Night train to the coast' })
  })
  afterAll(() => site.close())

  const challenge = async (person: Poster, path: string, method = 'POST') =>
    (await person.post<{ captcha_id: string; verify: boolean; puzzle: Work }>(`${API}/captcha/challenge`, { method, path })).data
  const login = (person: Poster, e_mail: string, pass: string, more: object = {}) =>
    person.post<{ username: string }>(`${API}/user/login/email`, { e_mail, pass, ...more })
  const LOGIN = `${API}/user/login/email`
  /** Somebody who calls by a proxy that the site trusts, from an address of their own. */
  function at(network: number, person: TestPerson = site.visitor()): Poster {
    const ip = `198.51.${network}.7`
    return {
      async post(path, body) {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
        const response = await person.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
        return { status: response.status, ...((await response.json()) as { reason: string; data: never }) }
      },
    }
  }

  it('asks nobody while it is off, or while nothing makes puzzles', async () => {
    const wrong = async (times: number) => {
      for (let n = 0; n < times; n++) expect((await login(site.visitor(), 'nobody@example.org', 'Wrong12345')).reason).not.toBe(FAILED)
    }
    await wrong(4)
    await site.switch('captcha', true)
    await wrong(4)
    expect((await site.visitor().get(`${API}/captcha/config`)).data).toEqual({ slug_name: '', config: null })
    await site.switch('captcha-pow', true)
    expect((await site.visitor().get(`${API}/captcha/config`)).data).toEqual({ slug_name: 'captcha-pow', config: null })
  })

  it('is asked for after three failures of a network, and lets one call pass', async () => {
    const ana = await site.member('ana')
    const stranger = at(1)
    for (let n = 0; n < 3; n++) expect((await login(stranger, `who${n}@example.org`, 'Wrong12345')).status).toBe(400)
    const refused = await login(stranger, 'ana@example.org', 'correct horse 7')
    expect(refused).toMatchObject({ status: 400, reason: FAILED, data: [{ error_field: 'captcha_code' }] })
    const { captcha_id, verify, puzzle } = await challenge(stranger, LOGIN)
    expect(verify).toBe(true)
    const proof = { captcha_id, captcha_code: solve(puzzle) }
    expect((await login(stranger, 'ana@example.org', 'Wrong12345', proof)).reason).not.toBe(FAILED)
    // It is spent, whatever became of the call.
    expect((await login(stranger, 'ana@example.org', 'correct horse 7', proof)).reason).toBe(FAILED)
    const next = await challenge(stranger, LOGIN)
    const right = await login(stranger, 'ana@example.org', 'correct horse 7', {
      captcha_id: next.captcha_id,
      captcha_code: solve(next.puzzle),
    })
    expect([right.status, right.data.username]).toEqual([200, 'ana'])
    // Other networks are asked nothing, and a good login takes the count back.
    expect((await login(at(2), 'ana@example.org', 'correct horse 7')).status).toBe(200)
    expect((await login(stranger, 'ana@example.org', 'correct horse 7')).status).toBe(200)
    expect(ana.id).toBeGreaterThan(0)
  })

  it('may be answered by a token as long as vendors make them, wherever it is asked', async () => {
    const far = at(177)
    for (let n = 0; n < 3; n++) await login(far, 'nobody@example.org', 'wrong horse 7')
    const { captcha_id } = await challenge(far, LOGIN)
    expect(await login(far, 'nobody@example.org', 'wrong horse 7', { captcha_id, captcha_code: 'x'.repeat(2048) })).toMatchObject({
      reason: FAILED,
    })
  })

  it('is asked for as well where an address is tried from many networks', async () => {
    await site.member('ben')
    for (let n = 10; n < 13; n++) expect((await login(at(n), 'ben@example.org', 'Wrong12345')).reason).not.toBe(FAILED)
    expect((await login(at(13), 'BEN@example.org', 'Wrong12345')).reason).toBe(FAILED)
    expect((await login(at(14), 'other@example.org', 'Wrong12345')).reason).not.toBe(FAILED)
  })

  it('counts a right password that wants a second step as no failure', async () => {
    await site.switch('two-factor', true)
    const fay = await site.member('fay')
    await fay.post(`${API}/user/session/confirm`, { method: 'accounts.password', given: { password: 'correct horse 7' } })
    const { secret } = (await fay.post<{ secret: string }>(`${API}/two-factor/secret`, {})).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() })
    expect((await fay.post(`${API}/two-factor`, { code })).status).toBe(200)
    for (let n = 0; n < 5; n++)
      expect((await login(at(60), 'fay@example.org', 'correct horse 7')).reason).toBe('error.accounts.second_step')
    await site.switch('two-factor', false)
  })

  it('belongs to its action, its person and its network', async () => {
    const cai = await site.member('cai')
    const mail = (person: Poster, more: object) => person.post(`${API}/user/password/reset`, { e_mail: 'cai@example.org', ...more })
    const RESET = `${API}/user/password/reset`
    const solved = async (person: Poster, path = RESET) => {
      const { captcha_id, puzzle } = await challenge(person, path)
      return { captcha_id, captcha_code: solve(puzzle) }
    }
    expect((await mail(at(20), {})).reason).toBe(FAILED)
    expect((await mail(at(20), await solved(at(21)))).reason).toBe(FAILED)
    expect((await mail(at(20), await solved(at(20), LOGIN))).reason).toBe(FAILED)
    expect((await mail(at(20), await solved(at(20, cai)))).reason).toBe(FAILED)
    expect((await mail(at(20), { ...(await solved(at(20))), captcha_code: '1000001' })).reason).toBe(FAILED)
    expect((await mail(at(20), { captcha_id: 'x'.repeat(5000), captcha_code: '1' })).reason).toBe(FAILED)
    const late = await solved(at(20))
    site.advance(361)
    expect((await mail(at(20), late)).reason).toBe(FAILED)
    expect((await mail(at(20), await solved(at(20)))).status).toBe(200)
  })

  it('lets exactly one of many calls pass that bring the same answer at once', async () => {
    const visitor = at(30)
    const { captcha_id, puzzle } = await challenge(visitor, `${API}/user/password/reset`)
    const body = { e_mail: 'cai@example.org', captcha_id, captcha_code: solve(puzzle) }
    const replies = await Promise.all(Array.from({ length: 8 }, () => visitor.post(`${API}/user/password/reset`, body)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ reason }) => reason))).toEqual(new Set([FAILED]))
  })

  it('comes before a call has done anything, after its input was found right, and never for staff', async () => {
    const dan = await site.member('dan')
    const write = (person: TestPerson, title: string) => person.post(`${API}/experience`, draft({ title }))
    expect((await write(dan, 'The first of two')).status).toBe(200)
    // Within five seconds of the one before.
    expect((await write(dan, 'The second of two')).reason).toBe(FAILED)
    expect((await dan.post(`${API}/experience`, { title: 7 })).reason).toBe('base.request_format_error')
    const own = await dan.get<{ count: number }>(`${API}/personal/experience/page`, { username: 'dan', page: 1, page_size: 10 })
    expect(own.data.count).toBe(1)
    site.advance(6)
    expect((await write(dan, 'The second of two')).status).toBe(200)
    const moderator = await site.moderator()
    for (const title of ['One more of staff', 'And one more of staff']) expect((await write(moderator, title)).status).toBe(200)
    expect((await moderator.get(`${API}/user/action/record`, { action: 'email' })).data).toMatchObject({ verify: false })
  })

  it('is told of by the call of the protocol, for calls with parameters too', async () => {
    const eve = await site.member('eve')
    const record = async (action: string) =>
      (await eve.get<{ captcha_id: string; verify: boolean }>(`${API}/user/action/record`, { action })).data
    expect(await record('vote')).toEqual({ captcha_id: '', captcha_img: '', verify: false })
    for (let n = 0; n < 40; n++)
      expect((await eve.post(`${API}/vote/up`, { object_id: post, is_cancel: n % 2 === 1 })).reason).not.toBe(FAILED)
    expect((await eve.post(`${API}/vote/up`, { object_id: post, is_cancel: false })).reason).toBe(FAILED)
    expect(await record('vote')).toMatchObject({ captcha_id: expect.stringMatching(/^[\w-]{32}$/), verify: true })
    const { captcha_id, puzzle } = await challenge(eve, `${API}/vote/up`)
    const body = { object_id: post, is_cancel: false, captcha_id, captcha_code: solve(puzzle) }
    expect((await eve.post(`${API}/vote/up`, body)).reason).not.toBe(FAILED)
    site.advance(400)
    expect((await eve.post(`${API}/vote/up`, { object_id: post, is_cancel: true })).reason).not.toBe(FAILED)
    expect((await challenge(eve, `${API}/vote/up/more`)).verify).toBe(false)
    expect((await challenge(eve, '/../../etc')).verify).toBe(false)
  })

  it('keeps the last ten open puzzles of a network', async () => {
    const visitor = at(40)
    const made: { captcha_id: string; puzzle: Work }[] = []
    for (let n = 0; n < 12; n++) made.push(await challenge(visitor, `${API}/user/password/reset`))
    const reset = async ({ captcha_id, puzzle }: (typeof made)[number]) =>
      (await visitor.post(`${API}/user/password/reset`, { e_mail: 'cai@example.org', captcha_id, captcha_code: solve(puzzle) })).status
    const replies: number[] = []
    for (const one of made) replies.push(await reset(one))
    expect(replies.filter((status) => status === 200)).toHaveLength(10)
  })

  it('is asked of nobody once it is switched off again, and what waited is worth nothing', async () => {
    const visitor = at(50)
    const reset = (more: object = {}) => visitor.post(`${API}/user/password/reset`, { e_mail: 'cai@example.org', ...more })
    expect((await reset()).reason).toBe(FAILED)
    await site.switch('captcha-pow', false)
    expect((await reset()).status).toBe(200)
    await site.switch('captcha', false)
    expect((await reset()).status).toBe(200)
    expect((await visitor.post(`${API}/captcha/challenge`, { method: 'POST', path: LOGIN })).status).toBe(404)
    expect(site.errors).toEqual([])
  })
})

it('makes only so many puzzles for one network', async () => {
  const site = await startSite({ plugins: ['accounts', 'captcha', 'captcha-pow'], rateLimits: true })
  try {
    for (const slug of ['captcha', 'captcha-pow']) await site.switch(slug, true)
    const ask = async () =>
      (await site.visitor().post(`${API}/captcha/challenge`, { method: 'POST', path: `${API}/user/login/email` })).status
    const statuses = new Set<number>()
    for (let n = 0; n < 121; n++) statuses.add(await ask())
    expect([...statuses]).toEqual([200, 429])
  } finally {
    await site.close()
  }
})
