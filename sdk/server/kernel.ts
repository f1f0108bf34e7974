import type { SetupValues } from '../administration/index.ts'
import { defineErrors, event, parallel, series } from '../shared/index.ts'
import type { RequestInfo } from './context.ts'

/** Somebody who was given a page. */
export interface Visit extends Pick<RequestInfo, 'person' | 'ip' | 'userAgent'> {
  /** Of the page's address: `/members/ana`. */
  path: string
}

/** Moments that belong to the kernel itself. */
export const kernelHooks = {
  /** In the transaction that completes the installation; the first admin (principal 1) exists. A throwing tap undoes all of it. */
  installed: series<(values: SetupValues & { adminId: number }) => void>('kernel.installed', { onFault: 'refuse' }),
  /**
   * Somebody was given a page that the server had rendered, be it one that was kept, or is shown one whose data the browser had fetched ahead
   * ({@link RouteRequest.isAhead}): its data is not asked for again. Runs after the reply. The calls that the page was made of ran for nobody: see {@link RouteRequest.isInternal}.
   */
  documentServed: parallel<(visit: Visit) => void>('kernel.documentServed'),
}

export const kernelEvents = {
  /** State, role or login of a principal changed. */
  principalChanged: event<{ id: number }>('kernel.principalChanged'),
}

/** Refusals of the guards; clients of the protocol look at `data.type`. */
export const accessErrors = {
  ...defineErrors('error.email', { need_to_be_verified: { status: 403, message: 'The account is not activated' } }),
  ...defineErrors('error.user', { suspended: { status: 403, message: 'The account is suspended' } }),
  ...defineErrors('base', { unauthorized_error: { status: 403, message: 'Only for {role}' } }),
}
