import type { BodyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import type { IconName } from '@stoa/sdk/ui/icon'
import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { useApi, useConfirm, useSite, useText, useToast } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ExperienceView } from '../shared/api.ts'
import { experienceCalls } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
import { CloseDialog } from './close-dialog.tsx'
import styles from './detail.module.css'

const icons: Record<string, IconName> = {
  close: 'lock',
  reopen: 'undo',
  pin: 'pin',
  unpin: 'pin',
  hide: 'eye-off',
  show: 'eye',
  delete: 'trash',
  undelete: 'undo',
}

/**
 * Quiet text actions below a post; what staff and authors may do beyond editing is in a menu.
 * @param children actions of other plugins
 */
export function PostActions({ detail, reload, children }: { detail: ExperienceView; reload: () => Promise<void>; children?: ReactNode }) {
  const t = useText('experiences')
  const toast = useToast()
  const site = useSite()
  const [isClosing, setClosing] = useState(false)
  const act = useAct(detail, reload)
  const offered = detail.member_actions.map((entry) => entry.action)
  const items = offered
    .filter((action) => icons[action])
    .map(
      (action): MenuItem => ({
        label: t(`action.${action}`),
        icon: icons[action] as IconName,
        ...(action === 'delete' && { tone: 'danger' as const }),
        onSelect: () => (action === 'close' ? setClosing(true) : void act(action)),
      }),
    )
  const share = async () => {
    await navigator.clipboard.writeText(new URL(pathOf(site, detail), location.origin).href)
    toast({ text: t('action.copied'), tone: 'success' })
  }
  return (
    <div className={styles.actions}>
      <Button variant="quiet" size="small" icon="share" onClick={() => void share()}>
        {t('action.share')}
      </Button>
      {offered.includes('edit') && (
        <ButtonLink variant="quiet" size="small" icon="pencil" to={`/posts/${detail.id}/edit`}>
          {t('action.edit')}
        </ButtonLink>
      )}
      {children}
      {items.length > 0 && <Menu label={t('detail.more')} align="start" size="small" items={items} />}
      {isClosing && <CloseDialog id={detail.id} onClose={() => setClosing(false)} onDone={reload} />}
    </div>
  )
}

type Operation = BodyOf<typeof experienceCalls.operate>['operation']

/** Asks, does, says so, and shows the post as it is then. */
function useAct(detail: ExperienceView, reload: () => Promise<void>): (action: string) => Promise<void> {
  const t = useText('experiences')
  const calls = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const { id } = detail
  return async (action) => {
    const isDanger = action === 'delete'
    if (!(await confirm({ title: t(`action.confirm.${action}`), confirm: t(`action.${action}`), tone: isDanger ? 'danger' : 'normal' })))
      return
    try {
      if (action === 'delete') await calls.send(experienceCalls.remove, { body: { id } })
      else if (action === 'undelete') await calls.send(experienceCalls.recover, { body: { experience_id: id } })
      else if (action === 'reopen') await calls.send(experienceCalls.reopen, { body: { experience_id: id } })
      else await calls.send(experienceCalls.operate, { body: { id, operation: action as Operation } })
    } catch {
      return
    }
    toast({ text: t('action.done'), tone: 'success' })
    await reload()
  }
}
