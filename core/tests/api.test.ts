import type { ApiError } from '@stoa/sdk/web'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApi } from '../kernel/api.ts'
import type { CallRequest } from '../kernel/call.ts'

/** What happened to the page. */
let seen: string[]
let requests: CallRequest[]
let reply: { status: number; data?: unknown; msg?: string } | 'lost'
let ignored: boolean

beforeEach(() => {
  seen = []
  requests = []
  ignored = false
})

const api = createApi(
  async (request) => {
    requests.push(request)
    if (reply === 'lost') throw new TypeError('Failed to fetch')
    const { status, data = null, msg = 'said' } = reply
    return { status, envelope: { code: status, reason: 'a.reason', msg, data } }
  },
  {
    token: () => 'token',
    language: () => 'en_US',
    toastDanger: (text) => seen.push(`toast ${text}`),
    dialog: (message, closeOnly) => seen.push(`dialog ${message} ${closeOnly ? 'close' : 'ok'}`),
    setError: (status) => seen.push(`page ${status}`),
    signedOut: () => seen.push('signed out'),
    goPlace: (place, replace) => seen.push(`${replace ? 'replace' : 'go'} ${place}`),
    onIgnoredPage: () => ignored,
    lostConnection: () => 'no connection',
  },
)

async function failing(call: () => Promise<unknown>): Promise<ApiError> {
  try {
    await call()
  } catch (error) {
    return error as ApiError
  }
  throw new Error('The call did not fail')
}

describe('a call', () => {
  it('sends token and language, leaves out what is undefined, and resolves to the data', async () => {
    reply = { status: 200, data: { n: 1 } }
    expect(await api.get('/answer/api/v1/list', { query: { page: 2, order: undefined, a: 'b' } })).toEqual({ n: 1 })
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/answer/api/v1/list?a=b&page=2', token: 'token', language: 'en_US' })
  })

  it('resolves to the status of a 204', async () => {
    reply = { status: 204 }
    expect(await api.put('/x')).toBe(204)
  })

  it('tells of a lost connection in words', async () => {
    reply = 'lost'
    expect(await failing(() => api.get('/x'))).toMatchObject({ code: 0, msg: 'no connection', message: 'no connection', shown: false })
  })
})

describe('a 400', () => {
  it('of kind toast shows a danger message', async () => {
    reply = { status: 400, data: { err_type: 'toast' } }
    expect((await failing(() => api.post('/x'))).shown).toBe(true)
    expect(seen).toEqual(['toast said'])
  })

  it('of kind modal shows a dialog', async () => {
    reply = { status: 400, data: { err_type: 'modal' } }
    await failing(() => api.post('/x'))
    expect(seen).toEqual(['dialog said ok'])
  })

  it('of kind alert is left to the caller, with message and data', async () => {
    reply = { status: 400, data: { err_type: 'alert', also_off: ['a'] } }
    expect(await failing(() => api.post('/x'))).toMatchObject({ msg: 'said', data: { also_off: ['a'] }, shown: false })
    expect(seen).toEqual([])
  })

  it('with a list of fields rejects with them', async () => {
    reply = { status: 400, data: [{ error_field: 'title', error_msg: 'too long' }] }
    expect(await failing(() => api.post('/x'))).toMatchObject({ fields: { title: 'too long' }, shown: false })
    expect(seen).toEqual([])
  })

  it('without data shows a dialog that can only be closed', async () => {
    reply = { status: 400, data: null }
    expect((await failing(() => api.post('/x'))).shown).toBe(true)
    expect(seen).toEqual(['dialog said close'])
  })

  it('is the caller’s alone with passingError', async () => {
    reply = { status: 400, data: { err_type: 'toast' } }
    expect(await failing(() => api.post('/x', {}, { passingError: true }))).toMatchObject({ code: 400, msg: 'said', shown: false })
    expect(seen).toEqual([])
  })
})

describe('other errors', () => {
  it('401 signs out', async () => {
    reply = { status: 401 }
    await failing(() => api.get('/x'))
    expect(seen).toEqual(['signed out'])
  })

  it.each([
    ['url_expired', 'replace activationFailed'],
    ['inactive', 'go inactive'],
    ['suspended', 'replace suspended'],
  ])('403 of type %s: %s', async (type, effect) => {
    reply = { status: 403, data: { type } }
    await failing(() => api.get('/x'))
    expect(seen).toEqual([effect])
  })

  it('403 of an admin call is the 403 page, of others a message; on ignored pages nothing', async () => {
    reply = { status: 403 }
    await failing(() => api.get('/answer/admin/api/plugins'))
    await failing(() => api.get('/answer/api/v1/x'))
    ignored = true
    await failing(() => api.get('/answer/api/v1/x'))
    expect(seen).toEqual(['page 403', 'toast said'])
  })

  it('404 is a page only where the call allows it', async () => {
    reply = { status: 404 }
    await failing(() => api.get('/x'))
    await failing(() => api.get('/x', { allow404: true }))
    expect(seen).toEqual(['page 404'])
  })

  it('500 is a page unless the call opts out or the page ignores it', async () => {
    reply = { status: 502 }
    await failing(() => api.get('/x', { ignoreServerError: true }))
    await failing(() => api.get('/x'))
    ignored = true
    await failing(() => api.get('/x'))
    expect(seen).toEqual(['page 500'])
  })

  it('409 rejects with code, message and data', async () => {
    reply = { status: 409, data: { epoch: 3 } }
    expect(await failing(() => api.put('/x'))).toMatchObject({
      code: 409,
      reason: 'a.reason',
      msg: 'said',
      data: { epoch: 3 },
      shown: false,
    })
    expect(seen).toEqual([])
  })
})
