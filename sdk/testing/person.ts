/** What came back from a call: HTTP status and the members of the envelope. */
export interface Reply<T> {
  status: number
  reason: string
  msg: string
  data: T
  headers: Headers
  /** The body as it came. */
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of any call
type Any = any

export type Query = Record<string, string | number | boolean | undefined>

/** Somebody who calls the site over HTTP, as the protocol's clients do. */
export interface TestPerson {
  /** 0 for a visitor. */
  id: number
  name: string
  /** Empty for a visitor. */
  token: string
  /** Paths are whole: `/answer/api/v1/…`. */
  get<T = Any>(path: string, query?: Query): Promise<Reply<T>>
  post<T = Any>(path: string, body?: unknown): Promise<Reply<T>>
  put<T = Any>(path: string, body?: unknown): Promise<Reply<T>>
  del<T = Any>(path: string, body?: unknown): Promise<Reply<T>>
  /** A multipart call with one file. */
  upload<T = Any>(path: string, file: File, fields?: Record<string, string>): Promise<Reply<T>>
  /** Any request, with this person's session. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The same person asking in another language. */
  speaking(language: string): TestPerson
}

/** @param url address of the site; `token` empty for a visitor */
export function testPerson(url: string, who: { id: number; name: string; token: string }, language = 'en_US'): TestPerson {
  const send = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('accept-language', language)
    if (who.token) headers.set('authorization', who.token)
    return fetch(new URL(path, url), { redirect: 'manual', ...init, headers })
  }
  const json =
    (method: string) =>
    async <T>(path: string, body?: unknown): Promise<Reply<T>> =>
      read(
        await send(
          path,
          body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        ),
      )
  return {
    ...who,
    get: async (path, query = {}) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return read(await send(search ? `${path}?${search}` : path))
    },
    post: json('POST'),
    put: json('PUT'),
    del: json('DELETE'),
    upload: async (path, file, fields = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', file)
      return read(await send(path, { method: 'POST', body: form }))
    },
    fetch: send,
    speaking: (other) => testPerson(url, who, other),
  }
}

/** Replies that are no envelope (pages, files) have empty members and their text. */
async function read<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const { reason = '', msg = '', data = null } = isJson ? ((JSON.parse(text) ?? {}) as Partial<Reply<T>>) : {}
  return { status: response.status, reason, msg, data: data as T, headers: response.headers, text }
}
