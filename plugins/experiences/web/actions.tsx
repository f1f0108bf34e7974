import type { BodyOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import type { IconName } from '@stoa/sdk/ui/icon'
import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { Slot, useApi, useConfirm, useLogin, useText, useToast } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { historySlots } from '../../history/shared/api.ts'
import type { PostPlace } from '../shared/api.ts'
import { experienceCalls, experienceSlots } from '../shared/api.ts'
import styles from './detail.module.css'
import type { ReadPost } from './read-post.ts'

const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }))

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

interface PostActionsProps {
  detail: ReadPost
  reload: () => Promise<void>
  place: PostPlace
  /** Not: no entries of other plugins. */
  live: boolean
  children?: ReactNode
}

/**
 * Quiet text actions below a post; what staff and authors may do beyond editing is in a menu.
 * @param children actions of other plugins
 */
export function PostActions({ detail, reload, place, live, children }: PostActionsProps) {
  const t = useText('experiences')
  const [isClosing, setClosing] = useState(false)
  const act = useAct(detail, reload)
  const items = detail.member_actions
    .filter(({ action }) => icons[action])
    .map(
      ({ action, name }): MenuItem => ({
        label: name,
        icon: icons[action] as IconName,
        ...(action === 'delete' && { tone: 'danger' as const }),
        onSelect: () => (action === 'close' ? setClosing(true) : void act(action, name)),
      }),
    )
  const menu = (more?: ReactNode) => <Menu label={t('detail.more')} align="start" size="small" items={items} more={more} />
  const own = items.length > 0 && menu()
  return (
    <div className={styles.actions}>
      {children}
      {/* Comes once it is known who one is. */}
      <div className={styles.ofMembers}>
        <Slot of={historySlots.entry} props={{ path: `/posts/${detail.id}` }} />
        {detail.member_actions.some(({ action }) => action === 'edit') && (
          <ButtonLink variant="quiet" size="small" icon="pencil" to={`/posts/${detail.id}/edit`} aria-keyshortcuts="e">
            {t('action.edit')}
          </ButtonLink>
        )}
        {live ? <Slot of={experienceSlots.menu} props={place} around={menu} empty={own} /> : own}
      </div>
      {isClosing && (
        <Suspense fallback={null}>
          <CloseDialog posts={[detail]} onClose={() => setClosing(false)} onDone={reload} />
        </Suspense>
      )}
    </div>
  )
}

type Operation = BodyOf<typeof experienceCalls.operate>['operation']

/** Asks, does, says so, and shows the post as it is then. */
function useAct(detail: ReadPost, reload: () => Promise<void>): (action: string, name: string) => Promise<void> {
  const t = useText('experiences')
  const calls = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const { person } = useLogin()
  const { id } = detail
  return async (action, name) => {
    const isDelete = action === 'delete'
    const isOwn = person?.id === detail.user_info.id
    const title = t(`action.confirm.${isDelete && !isOwn ? 'delete_other' : action}`)
    if (!(await confirm({ title, confirm: name, tone: isDelete ? 'danger' : 'normal' }))) return
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
