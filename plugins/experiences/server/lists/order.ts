import type { orderNames } from '../../shared/schemas.ts'
import { hotDays } from '../store/hot-score.ts'

export type OrderName = (typeof orderNames)[number]

export interface Order {
  /** Column that says which posts belong and puts pinned ones first. */
  tier: 'tier' | 'open_tier'
  /** Columns of the order, all descending; with `tier` before and `id` behind they are an index. */
  by: ('created_at' | 'active_at' | 'hot_score' | 'vote_count' | 'view_count' | 'linked_count')[]
  /** Only posts created in so many days, unless the request says. */
  createdDays?: number
  /** Only posts touched in so many days. */
  activeDays?: number
}

const hot: Order = { tier: 'tier', by: ['hot_score'], createdDays: hotDays }

/** Source: behaviour reference 4.6. `recommend` without follows is the hot list. */
export const orders: Record<OrderName, Order> = {
  newest: { tier: 'tier', by: ['created_at'] },
  active: { tier: 'tier', by: ['active_at', 'created_at'], createdDays: 180, activeDays: 90 },
  hot,
  score: { tier: 'tier', by: ['vote_count', 'view_count'] },
  unanswered: { tier: 'open_tier', by: ['created_at'] },
  frequent: { tier: 'tier', by: ['linked_count'] },
  recommend: hot,
}
