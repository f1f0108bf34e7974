import type { Route, Wanted } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { captchaDesk } from '../../captcha/shared/api.ts'
import { accountCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'

/** What clients ask before calls that may want a proof: answered whether or not some plugin asks for one. */
export const neutralRoutes = (desk: Wanted<typeof captchaDesk>): Route[] => [
  route(accountCalls.actionRecord, schemas.actionRecord, {
    access: 'open',
    summary: 'Whether the next call of this kind needs a captcha',
    handle: async ({ query, person, ip }) =>
      (await desk.current?.record(query.action, { person, ip })) ?? { captcha_id: '', captcha_img: '', verify: false },
  }),
]
