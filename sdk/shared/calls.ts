import type { Static, TObject, TSchema } from 'typebox'
import { protocol } from './protocol.ts'

/** What a call takes and gives. */
export interface CallSchemas {
  query?: TSchema
  params?: TSchema
  body?: TSchema
  /** Shape of `data`. */
  reply: TSchema
}

export type CallMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Names a call of the server and the types of its schemas. The schemas themselves stay on the server. */
export interface CallToken<S extends CallSchemas = CallSchemas, M extends CallMethod = CallMethod> {
  readonly kind: 'call'
  readonly method: M
  /** Whole path, as find-my-way writes it: `/answer/api/v1/vote/:type`. */
  readonly path: string
  readonly type?: S
}

function callBy<M extends CallMethod>(method: M) {
  return <S extends CallSchemas>(path: string, options: { admin?: true } = {}): CallToken<S, M> => {
    const below = options.admin ? protocol.admin : protocol.public
    return { kind: 'call', method, path: path.startsWith('/') ? path : `${below}/${path}` }
  }
}

/**
 * Makes the token of a call: `call.get<typeof schemas.page>('answer/page')`. The path lies below the prefix of the protocol (with `admin` below
 * that of the admin's calls); one that begins with a slash is taken as it is.
 */
export const call = { get: callBy('GET'), post: callBy('POST'), put: callBy('PUT'), del: callBy('DELETE') }

/** Members that the server fills in, so that a caller may leave them out. */
type Filled<P> = { [K in keyof P]: P[K] extends { '~fallback': true } ? K : never }[keyof P]

type Flat<T> = { [K in keyof T]: T[K] }

/** A value of a schema as a caller sends it. */
export type Sent<T> =
  T extends TObject<infer P>
    ? [Filled<P>] extends [never]
      ? Static<T>
      : Flat<Omit<Static<T>, Filled<P>> & Partial<Pick<Static<T>, Filled<P> & keyof Static<T>>>>
    : T extends TSchema
      ? Static<T>
      : undefined

/** `data` of a call's reply. */
export type ReplyOf<C extends CallToken> = C extends CallToken<infer S> ? Static<S['reply']> : never
export type QueryOf<C extends CallToken> = C extends CallToken<infer S> ? Sent<S['query']> : never
export type BodyOf<C extends CallToken> = C extends CallToken<infer S> ? Sent<S['body']> : never
/** Members of the path. */
export type ParamsOf<C extends CallToken> = C extends CallToken<infer S> ? Sent<S['params']> : never

/** A part of a request, demanded where a member of it is. */
type Part<S extends CallSchemas, K extends 'query' | 'params' | 'body'> = S[K] extends TSchema
  ? object extends Sent<S[K]>
    ? { [M in K]?: Sent<S[K]> }
    : { [M in K]: Sent<S[K]> }
  : { [M in K]?: undefined }

/** What a call is asked with. */
export type CallInput<C extends CallToken> = C extends CallToken<infer S> ? Part<S, 'query'> & Part<S, 'params'> & Part<S, 'body'> : never

/** Options of a call, left out where nothing is demanded. */
export type CallOptions<C extends CallToken, More> =
  object extends CallInput<C> ? [options?: CallInput<C> & More] : [options: CallInput<C> & More]
