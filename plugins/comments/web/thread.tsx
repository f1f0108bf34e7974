import type { PropsOf } from '@stoa/sdk'
import type { CommentsPage, commentSlots } from '../shared/api.ts'
import { Comments } from './comments.tsx'

const nothing: CommentsPage = { count: 0, list: [] }

/** What has no comments, or has brought them along, costs no call. */
export default function Thread({ id, size, count, first, page = id, closed = false }: PropsOf<typeof commentSlots.thread>) {
  return <Comments key={id} objectId={id} pageId={page} size={size} known={count === 0 ? nothing : first} closed={closed} />
}
