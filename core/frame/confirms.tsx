import { ConfirmDialog } from '@stoa/sdk/ui/dialog'
import { useAtomValue } from 'jotai'
import { confirmsAtom } from '../kernel/feedback.ts'

/** Questions that wait for an answer, the last one on top. */
export function Confirms() {
  return useAtomValue(confirmsAtom).map(({ id, answer, ...question }) => (
    <ConfirmDialog key={id} open {...question} onConfirm={() => answer(true)} onCancel={() => answer(false)} />
  ))
}
