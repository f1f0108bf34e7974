import type { PropsOf } from '@stoa/sdk'
import { Menu } from '@stoa/sdk/ui/menu'
import { useLogin, useNavigate } from '@stoa/sdk/web'
import { lazy, Suspense, useState } from 'react'
import type { accountSlots } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'

const CleanUpDialog = lazy(async () => ({ default: (await import('./person-dialogs.tsx')).CleanUpDialog }))

/** For staff on the profile of somebody else: to their page for admins, and the clean-up after spam. */
export default function ProfileActs({ id, username }: PropsOf<typeof accountSlots.profile>) {
  const t = useAccountsText()
  const navigate = useNavigate()
  const { isStaff, isAdmin, person } = useLogin()
  const [isOpen, setOpen] = useState(false)
  if (!isStaff || person?.id === id) return null
  const about = { user_id: id, username, display_name: username, e_mail: '', status: '', role_id: 1, suspended_until: 0 }
  return (
    <>
      <Menu
        label={t('admin.menu', { name: username })}
        variant="secondary"
        icon="shield"
        items={[
          ...(isAdmin ? [{ label: t('admin.act.open'), icon: 'shield', to: `/admin/users/${id}` } as const] : []),
          { label: t('admin.act.clean_up'), icon: 'trash', tone: 'danger', onSelect: () => setOpen(true) },
        ]}
      >
        {t('admin.actions')}
      </Menu>
      {isOpen && (
        <Suspense>
          <CleanUpDialog
            person={about}
            onClose={() => setOpen(false)}
            onDone={() => void navigate(`/users/${username}`, { replace: true })}
          />
        </Suspense>
      )}
    </>
  )
}
