import type { MenuItem } from '@stoa/sdk/ui/menu'
import { useApi, useConfirm, useLogin, useToast } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { LinkDialog } from './link-dialog.tsx'
import type { ActedOn, PersonDialogProps } from './person-dialogs.tsx'
import { CleanUpDialog, DeleteDialog, PasswordDialog, ProfileDialog, RoleDialog } from './person-dialogs.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'

const dialogs = {
  profile: ProfileDialog,
  role: RoleDialog,
  password: PasswordDialog,
  link: LinkDialog,
  suspend: SuspendDialog,
  clean_up: CleanUpDialog,
  delete: DeleteDialog,
} satisfies Record<string, (props: PersonDialogProps) => ReactNode>
type DialogName = keyof typeof dialogs

/** What an admin can do to people, and the dialog that is open for it. */
export function usePersonActs(onDone: () => void): { itemsFor(person: ActedOn): MenuItem[]; dialog: ReactNode } {
  const t = useAccountsText()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const { person: self } = useLogin()
  const [open, setOpen] = useState<{ name: DialogName; person: ActedOn }>()

  async function become(person: ActedOn, status: 'normal' | 'inactive'): Promise<void> {
    const words = status === 'normal' ? 'admin.restore' : 'admin.deactivate'
    const name = person.display_name
    if (!(await confirm({ title: t(`${words}.title`, { name }), text: t(`${words}.text`), confirm: t(`${words}.submit`) }))) return
    try {
      await api.send(accountCalls.setState, { body: { user_id: person.user_id, status } })
      toast({ text: t(`${words}.done`, { name }), tone: 'success' })
      onDone()
    } catch {
      // The call has said what is wrong.
    }
  }

  function itemsFor(person: ActedOn): MenuItem[] {
    if (person.status === 'deleted') return []
    const opening = (name: DialogName, label: string = name, danger = false): MenuItem => ({
      label: t(`admin.act.${label}`),
      ...(danger && { tone: 'danger' as const }),
      onSelect: () => setOpen({ name, person }),
    })
    if (self?.id === person.user_id) return [opening('profile')]
    const isActive = person.status === 'normal'
    return [
      opening('profile'),
      opening('role'),
      opening('password'),
      ...(person.status === 'inactive' ? [opening('link')] : []),
      'separator',
      ...(isActive ? [] : [{ label: t('admin.act.restore'), onSelect: () => void become(person, 'normal') }]),
      ...(isActive ? [{ label: t('admin.act.deactivate'), onSelect: () => void become(person, 'inactive') }] : []),
      opening('suspend', person.status === 'suspended' ? 'suspension' : 'suspend', person.status !== 'suspended'),
      ...(person.role_id === 1 ? [opening('clean_up', 'clean_up', true)] : []),
      opening('delete', 'delete', true),
    ]
  }

  const Opened = open && dialogs[open.name]
  return {
    itemsFor,
    dialog: Opened && (
      <Opened key={`${open.name} ${open.person.user_id}`} person={open.person} onClose={() => setOpen(undefined)} onDone={onDone} />
    ),
  }
}
