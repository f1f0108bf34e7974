import type { experienceSlots } from '@stoa/plugin-experiences/api'
import type { PropsOf } from '@stoa/sdk'
import { valueIn } from '@stoa/sdk'
import { MenuEntry } from '@stoa/sdk/ui/menu'
import { useText } from '@stoa/sdk/web'
import { meetup } from '../shared/api.ts'

/** In the menu of a post that is a meetup. */
export default function CalendarEntry({ detail }: PropsOf<typeof experienceSlots.menu>) {
  const t = useText('meetups')
  if (!valueIn(meetup, detail.extensions)) return null
  // A file, not a page: the browser goes there by itself.
  return <MenuEntry label={t('calendar')} icon="clock" onSelect={() => location.assign('/meetups/calendar.ics')} />
}
