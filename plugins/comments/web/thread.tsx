import type { PropsOf } from '@stoa/sdk'
import type { commentSlots } from '../shared/api.ts'
import { Comments, LoadedComments } from './comments.tsx'

/** One and the same list: what was added to it stays when the page around it is drawn again. */
const nothing = { count: 0, list: [] }

/** What has no comments costs no call. */
export default function Thread({ id, size, count, page = id, closed = false }: PropsOf<typeof commentSlots.thread>) {
  if (count === 0) return <Comments objectId={id} pageId={page} size={size} start={nothing} closed={closed} />
  return <LoadedComments objectId={id} pageId={page} size={size} closed={closed} />
}
