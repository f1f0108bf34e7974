import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'

/** What clients ask at start-up about captchas, which no plugin offers yet; the one that brings them takes the call over. */
export const neutralRoutes: Route[] = [
  route(accountCalls.actionRecord, schemas.actionRecord, {
    access: 'open',
    summary: 'Whether the next call of this kind needs a captcha',
    handle: () => ({ captcha_id: '', captcha_img: '', verify: false }),
  }),
]
