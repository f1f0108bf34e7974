import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Time } from '@stoa/sdk/ui/time'
import type { kernelSlots } from '@stoa/sdk/web'
import { Link, useApi, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { adminCalls } from '../shared/api.ts'

type Last = ReplyOf<typeof adminCalls.lastSaved>

/** Who saved a page of settings last, and when. */
export default function LastSaved({ page, saves }: PropsOf<typeof kernelSlots.settingsPage>) {
  const api = useApi()
  const t = useText('admin')
  const [last, setLast] = useState<Last>()
  useEffect(() => {
    let isGone = false
    api.send(adminCalls.lastSaved, { query: { page }, passingError: true }).then(
      (loaded) => isGone || setLast(loaded),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [api, page, saves])
  return (
    <p>
      {last?.at === 0 && t('last_saved.never')}
      {last !== undefined && last.at > 0 && (
        <>
          <Time at={last.at} phrase={(time) => t('last_saved.at', { time })} />
          {last.username && (
            <>
              {' · '}
              <Link to={`/users/${last.username}`}>{last.display_name}</Link>
            </>
          )}
        </>
      )}
    </p>
  )
}
