import type { PropsOf } from '@stoa/sdk'
import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { useApi, useSearchParams, useText } from '@stoa/sdk/web'
import { useEffect } from 'react'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { SHARE } from '../shared/api.ts'
import { LinkDialog } from './link-dialog.tsx'
import { useShare } from './use-share.ts'

/** A menu of ways to pass a post on. */
export default function SharePost({ id, detail }: PropsOf<typeof experienceSlots.actions>) {
  const t = useText('share')
  const api = useApi()
  const by = useSearchParams()[0].get(SHARE)
  const { ways, shown, close } = useShare({ experienceId: id, title: detail.title })
  useEffect(() => {
    if (by) void import('./note-opened.ts').then(({ noteOpened }) => noteOpened(api, id, by))
  }, [api, id, by])
  return (
    <>
      <Menu
        label={t('share')}
        icon="share"
        size="small"
        align="start"
        items={ways.map((way): MenuItem => ({ ...way, label: t(way.label) }))}
      >
        {t('share')}
      </Menu>
      {shown && <LinkDialog {...shown} onClose={close} />}
    </>
  )
}
