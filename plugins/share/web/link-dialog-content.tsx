import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import { useText } from '@stoa/sdk/web'
import type { FocusEvent } from 'react'
import type { ShownLink } from './use-share.ts'

/** Says what to do with a link where the page cannot do it, with the link to copy by hand. */
export default function LinkDialogContent({ url, hint, onClose }: ShownLink & { onClose(): void }) {
  const t = useText('share')
  return (
    <Dialog open onClose={onClose} title={t('share')} size="small" actions={<Button onClick={onClose}>{t('close')}</Button>}>
      <Stack>
        <p>{t(hint)}</p>
        <TextField
          label={t('link')}
          value={url}
          onChange={() => {}}
          readOnly
          onFocus={(event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()}
        />
      </Stack>
    </Dialog>
  )
}
