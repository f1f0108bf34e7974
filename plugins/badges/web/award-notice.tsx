import type { PropsOf } from '@stoa/sdk'
import type { noticeSlots } from '../../notifications/shared/api.ts'
import { Unseen } from './unseen.tsx'

/** Shows an award that notifications has for the reader, with all others that are new. One that was shown already is only marked as read. */
export default function AwardNotice({ onRead }: PropsOf<typeof noticeSlots.award>) {
  return <Unseen onDone={() => void onRead()} />
}
