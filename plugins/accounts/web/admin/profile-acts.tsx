import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { useLogin, useNavigate } from '@stoa/sdk/web'
import { lazy, Suspense, useState } from 'react'
import type { accountSlots } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './profile-acts.module.css'

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
    <div className={styles.acts}>
      {isAdmin && (
        <Button icon="shield" onClick={() => void navigate(`/admin/users/${id}`)}>
          {t('admin.act.open')}
        </Button>
      )}
      <Button icon="trash" onClick={() => setOpen(true)}>
        {t('admin.act.clean_up')}
      </Button>
      {isOpen && (
        <Suspense>
          <CleanUpDialog
            person={about}
            onClose={() => setOpen(false)}
            onDone={() => void navigate(`/users/${username}`, { replace: true })}
          />
        </Suspense>
      )}
    </div>
  )
}
