import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { useAtomValue } from 'jotai'
import { useCore } from '../kernel/core.ts'
import { confirmsAtom } from '../kernel/feedback.ts'

/** Questions that wait for an answer, the last one on top. */
export function Confirms() {
  const t = useCore().kernel.useText('core')
  return useAtomValue(confirmsAtom).map(({ id, title, text, confirm, cancel, tone, answer }) => (
    <Dialog
      key={id}
      open
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          {cancel !== null && <Button onClick={() => answer(false)}>{cancel ?? t('action.cancel')}</Button>}
          <Button variant={tone === 'danger' ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {confirm ?? t('action.ok')}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  ))
}
