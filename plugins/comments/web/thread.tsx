import type { PropsOf } from '@stoa/sdk'
import type { commentSlots } from '../shared/api.ts'
import { Comments, LoadedComments } from './comments.tsx'

/** What has no comments costs no call. */
export default function Thread({ id, size, count }: PropsOf<typeof commentSlots.thread>) {
  if (count === 0) return <Comments objectId={id} size={size} start={{ count: 0, list: [] }} />
  return <LoadedComments objectId={id} size={size} />
}
