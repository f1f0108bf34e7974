import { call, defineErrors, event } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** What may be done about something that was flagged. */
export const operations = ['edit_post', 'close_post', 'delete_post', 'unlist_post', 'ignore_report'] as const
export type Operation = (typeof operations)[number]

export const reportEvents = {
  /** Somebody flagged something. `objectId`: its long public id. */
  created: event<{ n: number; objectId: string; personId: number }>('reports.created'),
  /** Staff decided about all open flags of an object. */
  handled: event<{ kind: string; n: number; handlerId: number; operation: Operation | 'none' }>('reports.handled'),
}

export const reportCalls = {
  create: call.post<typeof schemas.create>('report'),
  unreviewed: call.get<typeof schemas.unreviewed>('report/unreviewed/post'),
  handle: call.put<typeof schemas.handle>('report/review'),
  adminHandle: call.put<typeof schemas.handle>('report', { admin: true }),
}

export const reportErrors = {
  ...defineErrors('error.report', {
    not_found: { status: 404, message: 'No flag or no reason {id}' },
  }),
  ...defineErrors('error.reports', {
    own_content: { status: 400, message: '{id} is by who flags it' },
    flagged_already: { status: 400, message: '{id} is flagged by this person, and nobody has decided yet' },
    not_possible: { status: 400, message: '{operation} is nothing that can be done to {kind}' },
  }),
  object_not_found: defineErrors('error.object', { not_found: { status: 404, message: 'Nothing to flag: {id}' } }).not_found,
  invalid_url: defineErrors('error.common', {
    invalid_url: { status: 400, message: 'What is repeated is named by an address of this site; found {found}' },
  }).invalid_url,
}
