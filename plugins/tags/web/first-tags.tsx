import { TextField } from '@stoa/sdk/ui/field'
import { useText } from '@stoa/sdk/web'
import type { SiteField } from '../../install/shared/api.ts'

/** Offers the wizard's reader the tags that a fresh site begins with. */
export default function FirstTags({ value, onChange, errors }: SiteField) {
  const t = useText('tags')
  return (
    <TextField
      name="tags"
      label={t('first.label')}
      help={t('first.help')}
      value={value.tags ?? t('first.names')}
      onChange={(tags) => onChange({ tags })}
      error={errors.tags}
      maxLength={800}
    />
  )
}
