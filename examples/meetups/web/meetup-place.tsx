import type { experienceSlots } from '@stoa/plugin-experiences/api'
import type { PropsOf } from '@stoa/sdk'
import { valueIn } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Icon } from '@stoa/sdk/ui/icon'
import { useApi, useData, useLogin, useText } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useState } from 'react'
import type { Meetup } from '../shared/api.ts'
import { guestsChanged, meetup, meetupCalls } from '../shared/api.ts'
import styles from './meetups.module.css'

/** Below the text of a post that is a meetup. */
export default function MeetupPlace({ id, detail }: PropsOf<typeof experienceSlots.body>) {
  const value = valueIn(meetup, detail.extensions)
  return value ? <Place id={id} meetup={value} /> : null
}

function Place({ id, meetup: { city, day } }: { id: string; meetup: Meetup }) {
  const t = useText('meetups')
  const api = useApi()
  const { isActivated } = useLogin()
  const [guests, setGuests] = useState(useData(meetupCalls.guests, { id }))
  useLive(guestsChanged, id, ({ people }) => setGuests((now) => ({ ...now, people })))
  const come = async () => setGuests(await api.send(meetupCalls.come, { body: { id, comes: !guests.comes } }))
  return (
    <p className={styles.place}>
      <Icon name="clock" size={16} />
      <span>{t('place', { city, day })}</span>
      <span>{t('guests', { count: guests.people })}</span>
      {isActivated && (
        <Button size="small" onClick={() => void come()}>
          {t(guests.comes ? 'stay_away' : 'come')}
        </Button>
      )}
    </p>
  )
}
