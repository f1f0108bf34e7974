import type { BodyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Button } from '@stoa/sdk/ui/button'
import { RadioGroup } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, usePluginOn } from '@stoa/sdk/web'
import { lazy, Suspense, useRef, useState } from 'react'
import { uploadCalls } from '../../../uploads/shared/api.ts'
import type { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './avatar-field.module.css'

const CropDialog = lazy(() => import('@stoa/sdk/ui/crop-dialog').then(({ CropDialog: dialog }) => ({ default: dialog })))

export type AvatarValue = Required<NonNullable<BodyOf<typeof accountCalls.saveProfile>['avatar']>>
const types = ['default', 'gravatar', 'custom'] as const

interface AvatarFieldProps {
  /** Whose first letter stands in for a picture. */
  name: string
  value: AvatarValue
  error: string | undefined
  /** The site's owner lets browsers ask the avatar service. */
  hasService: boolean
  onChange(value: AvatarValue): void
  /** A picture is on its way: what is saved now would be without it. */
  onUploading(isUploading: boolean): void
}

/** Choice between the drawn letter, the avatar service and a picture of one's own, of which a square is used. */
export function AvatarField({ name, value, error, hasService, onChange, onUploading }: AvatarFieldProps) {
  const api = useApi()
  const t = useAccountsText()
  const mayUpload = usePluginOn('uploads')
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [chosen, setChosen] = useState<File>()

  async function upload(file: File) {
    setChosen(undefined)
    setBusy(true)
    onUploading(true)
    setFailure('')
    try {
      const custom = await api.upload(uploadCalls.upload, { source: 'avatar' }, file, { passingError: true })
      onChange({ type: 'custom', gravatar: '', custom })
    } catch (reason) {
      setFailure((reason as ApiError).msg || t('field.avatar_failed'))
    } finally {
      setBusy(false)
      onUploading(false)
    }
  }

  const shown = value.type === 'custom' ? value.custom : value.type === 'gravatar' ? value.gravatar : ''
  const offered = types.filter((type) => (type === 'gravatar' ? hasService : type !== 'custom' || value.custom))
  return (
    <div className={styles.row}>
      <Avatar name={name} src={shown} size={64} />
      <Stack gap={2}>
        <RadioGroup
          name="avatar"
          label={t('field.avatar')}
          options={offered.map((type) => ({ value: type, label: t(`field.avatar_${type}`) }))}
          value={value.type}
          error={error || failure}
          onChange={(chosen) => onChange({ ...value, type: types.find((type) => type === chosen) ?? 'default' })}
        />
        {mayUpload && (
          <div>
            <input
              ref={input}
              type="file"
              hidden
              accept="image/png,image/jpeg,image/webp"
              aria-label={t('field.avatar_upload')}
              onChange={(event) => {
                setChosen(event.target.files?.[0])
                setFailure('')
                // The same file can be chosen again.
                event.target.value = ''
              }}
            />
            <Button size="small" icon="upload" busy={busy} onClick={() => input.current?.click()}>
              {t('field.avatar_upload')}
            </Button>
            {chosen && (
              <Suspense>
                <CropDialog picture={chosen} round onDone={(part) => void upload(part)} onCancel={() => setChosen(undefined)} />
              </Suspense>
            )}
          </div>
        )}
      </Stack>
    </div>
  )
}
