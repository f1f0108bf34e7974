import type { PropsOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { useLogin, useText } from '@stoa/sdk/web'
import type { historySlots } from '../shared/api.ts'

/** Leads members to a timeline; visitors may not see it. */
export default function Entry({ path }: PropsOf<typeof historySlots.entry>) {
  const t = useText('history')
  const { person } = useLogin()
  if (!person) return null
  return (
    <ButtonLink variant="quiet" size="small" icon="history" to={`${path}/timeline`}>
      {t('entry')}
    </ButtonLink>
  )
}
