import { useLogin, usePluginOn } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useReducer } from 'react'
import { badgeLive } from '../shared/api.ts'
import { Unseen } from './unseen.tsx'

/** Tells people of a badge they have not been told of: at once, or when they come back. Where there are notifications, these say when. */
export default function AwardWatcher() {
  const { person, isActivated, isForbidden } = useLogin()
  const isTold = usePluginOn('notifications')
  return person && isActivated && !isForbidden && !isTold ? <Watch key={person.id} id={person.id} /> : null
}

function Watch({ id }: { id: string }) {
  const [round, askAgain] = useReducer((before: number) => before + 1, 0)
  useLive(badgeLive.awarded, id, askAgain, askAgain)
  return round > 0 && <Unseen round={round} />
}
