import type { PropsOf } from '@stoa/sdk'
import type { commentSlots } from '../shared/api.ts'
import { Comments } from './comments.tsx'

/** What has no comments costs no call. */
export default function Thread({ id, size, count, page = id, closed = false }: PropsOf<typeof commentSlots.thread>) {
  return <Comments objectId={id} pageId={page} size={size} isEmpty={count === 0} closed={closed} />
}
