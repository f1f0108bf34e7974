import { useText } from '@stoa/sdk/web'
import type { SiteForm } from './site-fields.tsx'
import { SiteFields } from './site-fields.tsx'
import { Step } from './step.tsx'
import { useProposedUsername } from './use-proposed-username.ts'

/** The last questions; finishes the installation. */
export function SiteStep({
  value,
  onChange,
  errors,
  busy,
  onBack,
  onFinish,
}: {
  value: SiteForm
  onChange: (value: SiteForm) => void
  errors: Record<string, string>
  busy: boolean
  onBack: () => void
  /** Gets the username to send. */
  onFinish: (username: () => Promise<string>) => void
}) {
  const t = useText('install')
  const username = useProposedUsername(value, onChange, busy)
  return (
    <Step
      title={t('site.title')}
      onSubmit={() => onFinish(username)}
      busy={busy}
      next={t('site.submit')}
      back={{ label: t('back'), onBack }}
    >
      <SiteFields value={value} onChange={onChange} errors={errors} />
    </Step>
  )
}
