import { Badge } from '@stoa/sdk/ui/badge'
import { Time } from '@stoa/sdk/ui/time'
import { useAccountsText } from '../parts/use-accounts-text.ts'

const tones = { normal: 'success', inactive: 'warning', suspended: 'danger', deleted: 'neutral' } as const

/** State and role in words; of suspended people also until when. */
export function StatusWords({ status, role_id, suspended_until }: { status: string; role_id: number; suspended_until: number }) {
  const t = useAccountsText()
  return (
    <>
      {status !== 'normal' && <Badge tone={tones[status as keyof typeof tones] ?? 'neutral'}>{t(`admin.status_${status}`)}</Badge>}
      {status === 'suspended' && (
        <span>
          {suspended_until > 0 ? (
            <Time at={suspended_until} style="date" phrase={(time) => t('admin.until', { time })} />
          ) : (
            t('admin.suspended_for_good')
          )}
        </span>
      )}
      {role_id !== 1 && <Badge tone="accent">{t(`admin.role_${role_id}`)}</Badge>}
    </>
  )
}
