import type { experienceSlots } from '@stoa/plugin-experiences/api'
import type { FieldProps, PropsOf } from '@stoa/sdk'
import { TextField } from '@stoa/sdk/ui/field'
import { useText } from '@stoa/sdk/web'
import type { Meetup } from '../shared/api.ts'
import styles from './meetups.module.css'

/** In the form of a post. Both empty: it is no meetup. */
export default function MeetupFields({ value, onChange, errors }: FieldProps<Meetup, PropsOf<typeof experienceSlots.fields>>) {
  const t = useText('meetups')
  const { city = '', day = '' } = value ?? {}
  const set = (part: Partial<Meetup>) => {
    const next = { city, day, ...part }
    onChange(next.city === '' && next.day === '' ? null : next)
  }
  return (
    <fieldset className={styles.fields}>
      <legend>{t('field.title')}</legend>
      <TextField label={t('field.city')} value={city} error={errors.city} maxLength={100} onChange={(city) => set({ city })} />
      <TextField label={t('field.day')} type="date" value={day} error={errors.day} onChange={(day) => set({ day })} />
    </fieldset>
  )
}
