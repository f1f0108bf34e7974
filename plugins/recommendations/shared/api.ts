import { call } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export const recommendationCalls = {
  page: call.get<typeof schemas.page>('experience/recommend/page'),
}
