import type { FieldError } from '@stoa/sdk'
import { baseErrors, isCodedError } from '@stoa/sdk'

export interface Envelope {
  code: number
  reason: string
  msg: string
  data: unknown
}

/** Translates a key of the `server` branch for the caller. */
export type Translate = (key: string, params?: Record<string, unknown>) => string

export const SUCCESS = 'base.success'
/** Media type of all envelopes. */
export const JSON_TYPE = 'application/json; charset=utf-8'

export const success = (translate: Translate, data: unknown): Envelope => ({
  code: 200,
  reason: 'base.success',
  msg: translate('base.success'),
  data: data ?? null,
})

const TAIL = Buffer.from('}')
const heads = new Map<string, Buffer>()

/** A success reply whose data is finished JSON, all in UTF-8. */
export function wrapJson(translate: Translate, json: Uint8Array): Buffer {
  const text = translate(SUCCESS)
  let head = heads.get(text)
  if (!head) {
    head = Buffer.from(`{"code":200,"reason":"${SUCCESS}","msg":${JSON.stringify(text)},"data":`)
    // As many as there are languages, unless somebody keeps changing the text.
    if (heads.size >= 100) heads.clear()
    heads.set(text, head)
  }
  return Buffer.concat([head, json, TAIL])
}

const isFieldList = (data: unknown): data is FieldError[] =>
  Array.isArray(data) && data.every((entry) => typeof (entry as FieldError | null)?.error_field === 'string')

/** Any error as it leaves the server. What is not part of a contract becomes one 500 without internals. */
export function failure(translate: Translate, error: unknown): Envelope {
  if (!isCodedError(error)) {
    const { code, definition } = baseErrors.unknown
    return { code: definition.status, reason: code, msg: translate(code), data: null }
  }
  const msg = translate(error.code, error.params)
  if (error.field) return { code: error.status, reason: error.code, msg, data: [{ error_field: error.field, error_msg: msg }] }
  if (isFieldList(error.data)) {
    const data = (error.data as (FieldError & { params?: object })[]).map(({ error_field, error_msg, params }) => ({
      error_field,
      error_msg: translate(error_msg, { ...error.params, ...params }),
    }))
    return { code: error.status, reason: error.code, msg: data.length === 1 ? (data[0] as FieldError).error_msg : msg, data }
  }
  const extra = typeof error.data === 'object' && error.data !== null && !Array.isArray(error.data) ? error.data : undefined
  const data = error.display ? { err_type: error.display, ...extra } : (error.data ?? null)
  return { code: error.status, reason: error.code, msg, data }
}
