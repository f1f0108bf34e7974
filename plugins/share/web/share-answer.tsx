import type { PropsOf } from '@stoa/sdk'
import { MenuEntry } from '@stoa/sdk/ui/menu'
import { useText } from '@stoa/sdk/web'
import { createPortal } from 'react-dom'
import type { answerSlots } from '../../answers/shared/api.ts'
import { LinkDialog } from './link-dialog.tsx'
import { useShare } from './use-share.ts'

/** Entries of an answer's menu. */
export default function ShareAnswer({ id, experienceId }: PropsOf<typeof answerSlots.menu>) {
  const t = useText('share')
  const { ways, shown, close } = useShare({ experienceId, answerId: id, title: '' })
  return (
    <>
      {ways.map((way) => (
        <MenuEntry key={way.label} {...way} label={t(way.label)} />
      ))}
      {shown && createPortal(<LinkDialog {...shown} onClose={close} />, document.body)}
    </>
  )
}
