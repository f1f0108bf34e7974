import { fieldErrors } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/server'
import type { ModeratedText } from '../../site/shared/api.ts'
import type { Operation } from '../shared/api.ts'
import { operations, reportErrors } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

type Body = Static<typeof schemas.handle.body>

/** What is to be done about a flag. */
export interface Act {
  flagId: string
  /** `none`: it was dealt with already, such as by an edit. */
  operation: Operation | 'none'
  closing?: { type: number; message: string }
  text?: ModeratedText
  /** Kept with the flag. */
  flagged: { type: number; content: string }
}

const SOMETHING_ELSE = 59
const DUPLICATE = 60

/** What the reasons of the protocol's other body stand for. */
const decisions: Record<number, Operation | 'none'> = {
  57: 'delete_post',
  58: 'delete_post',
  [SOMETHING_ELSE]: 'close_post',
  [DUPLICATE]: 'close_post',
  61: 'delete_post',
  62: 'delete_post',
  63: 'close_post',
  64: 'close_post',
  65: 'ignore_report',
  67: 'close_post',
  68: 'delete_post',
  72: 'ignore_report',
  73: 'none',
  74: 'close_post',
  75: 'delete_post',
}
/** Reasons that are reasons to close. */
const closing = [SOMETHING_ELSE, DUPLICATE, 63, 64]

/** Reads either body of the protocol. @throws a form error that names the members of the first one */
export function actOf(body: Body, site: string): Act {
  return body.flag_id === undefined && body.operation_type === undefined && (body.id !== undefined || body.flagged_type !== undefined)
    ? byReason(body, site)
    : byOperation(body)
}

function byOperation(body: Body): Act {
  const problems: Record<string, string> = {}
  if (!body.flag_id) problems.flag_id = 'validation.required'
  if (!body.operation_type) problems.operation_type = 'validation.required'
  else if (!operations.includes(body.operation_type as Operation)) problems.operation_type = 'validation.enum'
  if (Object.keys(problems).length > 0) throw fieldErrors(problems)
  const operation = body.operation_type as Operation
  const act = { flagId: body.flag_id as string, operation }
  if (operation === 'close_post') {
    const { close_type: type, close_msg: message = '' } = body
    if (type === undefined) throw fieldErrors({ close_type: 'validation.required' })
    return { ...act, closing: { type, message }, flagged: { type, content: message } }
  }
  if (operation === 'edit_post') {
    const text = { title: body.title ?? '', content: body.content ?? '', tags: body.tags ?? null }
    return { ...act, text, flagged: { type: 73, content: '' } }
  }
  return { ...act, flagged: { type: operation === 'ignore_report' ? 72 : 75, content: '' } }
}

function byReason({ id, flagged_type: type, flagged_content: content = '' }: Body, site: string): Act {
  if (!id || type === undefined) {
    throw fieldErrors({ ...(!id && { id: 'validation.required' }), ...(type === undefined && { flagged_type: 'validation.required' }) })
  }
  const operation = decisions[type]
  if (!operation) throw reportErrors.not_found({ id: type })
  const act: Act = { flagId: id, operation, flagged: { type, content } }
  if (operation !== 'close_post') return act
  const isAddress = URL.canParse(content) && new URL(content).origin === new URL(site).origin
  return { ...act, closing: { type: closing.includes(type) ? type : isAddress ? DUPLICATE : SOMETHING_ELSE, message: content } }
}
