import type { CallToken } from '@stoa/sdk'
import type { Api, ApiError, ApiOptions } from '@stoa/sdk/web'
import { ADMIN_PREFIX, API_PREFIX } from '../../sdk/pages/reserved-paths.ts'
import type { Transport } from './call.ts'
import { addressOf, call, isApiError, pathOf } from './call.ts'
import type { Through } from './pipe.ts'

/** What the error catalogue may do to the page. */
export interface ApiEffects {
  token(): string | undefined
  language(): string
  toastDanger(text: string): void
  /** A dialog with the message; resolves when it is closed. */
  dialog(message: string, closeOnly: boolean): void
  setError(status: 403 | 404 | 500 | 503, message?: string): void
  /** 401: forgets person, token and error page, goes to the login place. */
  signedOut(): void
  goPlace(place: string, replace: boolean): void
  /** On the pages for logging in, registering and the like some errors are their own business. */
  onIgnoredPage(): boolean
  lostConnection(): string
}

const fullPath = (path: string): string => (path.startsWith('/') ? path : API_PREFIX + path)

/**
 * The request layer: one place that knows the error catalogue (specification, section 8).
 * @param through what calls pass on their way; the catalogue sees what comes out of it
 */
export function createApi(transport: Transport, effects: ApiEffects, through: Through = (send) => send): Api {
  const calls = through(transport)

  async function send<T>(method: string, path: string, body: unknown, options: ApiOptions = {}, carrier = calls): Promise<T> {
    const url = addressOf(fullPath(path), options.query)
    try {
      return (await call(carrier, {
        method,
        url,
        body,
        language: effects.language(),
        token: effects.token(),
        signal: options.signal,
      })) as T
    } catch (error) {
      throw isApiError(error) ? show(error, url, options) : error
    }
  }

  /** Shows what the catalogue says and marks the error as shown. */
  function show(error: ApiError, url: string, options: ApiOptions): ApiError {
    const kind = errorKind(error)
    const seen = () => Object.assign(error, { shown: true })
    if (error.code === 400) return showBadRequest(error, kind, options)
    if (error.code === 401) {
      effects.signedOut()
      return seen()
    }
    if (error.code === 403) return showForbidden(error, kind, url)
    if (error.code === 404 && options.allow404) {
      if (!effects.onIgnoredPage()) effects.setError(404)
      return seen()
    }
    if (error.code >= 500) {
      console.error(`${url} answered ${error.code}: ${error.msg}`)
      if (!options.ignoreServerError && !effects.onIgnoredPage()) {
        effects.setError(error.code === 503 && error.reason === 'base.closed' ? 503 : 500)
        return seen()
      }
    }
    if (error.code === 0) error.message = error.msg = effects.lostConnection()
    return error
  }

  function showBadRequest(error: ApiError, kind: string, options: ApiOptions): ApiError {
    if (options.passingError) return error
    if (kind === 'toast') {
      effects.toastDanger(error.msg)
      error.shown = true
    } else if (kind === 'modal') {
      effects.dialog(error.msg, false)
      error.shown = true
    } else if (kind !== 'alert' && isEmpty(error.data)) {
      effects.dialog(error.msg, true)
      error.shown = true
    }
    return error
  }

  function showForbidden(error: ApiError, kind: string, url: string): ApiError {
    const places: Record<string, [place: string, replace: boolean]> = {
      url_expired: ['activationFailed', true],
      inactive: ['inactive', false],
      suspended: ['suspended', true],
    }
    const target = places[kind]
    if (target) {
      effects.goPlace(...target)
      error.shown = true
    } else if (!effects.onIgnoredPage()) {
      if (url.startsWith(ADMIN_PREFIX)) {
        effects.setError(403)
        error.shown = true
      } else if (error.msg) {
        effects.toastDanger(error.msg)
        error.shown = true
      }
    }
    return error
  }

  return {
    send(call: CallToken, input: ApiOptions & { body?: unknown; params?: Record<string, unknown> } = {}) {
      const { body, params, ...options } = input
      const sent = body === undefined && (call.method === 'POST' || call.method === 'PUT') ? {} : body
      return send(call.method, pathOf(call, params), sent, options) as never
    },
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body ?? {}, options),
    put: (path, body, options) => send('PUT', path, body ?? {}, options),
    del: (path, body, options) => send('DELETE', path, body, options),
    async upload<T>(
      to: string | CallToken,
      fields: Record<string, string>,
      file: File,
      options: ApiOptions & { onProgress?: (share: number) => void } = {},
    ) {
      const { uploadTransport } = await import('./upload.ts')
      return await send<T>('POST', pathOf(to), fields, options, through(uploadTransport(file, options.onProgress)))
    },
  }
}

const isEmpty = (data: unknown): boolean =>
  data === null || data === undefined || (typeof data === 'object' && Object.keys(data).length === 0)

/** `data.err_type` of a 400, `data.type` of a 403. */
function errorKind(error: ApiError): string {
  if (typeof error.data !== 'object' || error.data === null) return ''
  const { err_type, type } = error.data as { err_type?: unknown; type?: unknown }
  return typeof err_type === 'string' ? err_type : typeof type === 'string' ? type : ''
}
