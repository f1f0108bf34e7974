import type { PropsOf } from '@stoa/sdk'
import type { historySlots } from '../shared/api.ts'
import { DifferenceView } from './difference-view.tsx'

export default function Difference({ before, after }: PropsOf<typeof historySlots.difference>) {
  return <DifferenceView before={before} after={after} />
}
