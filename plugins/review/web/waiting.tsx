import { Icon } from '@stoa/sdk/ui/icon'
import { Link, useApi, useText } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useEffect, useReducer, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { reviewLive } from '../shared/api.ts'
import styles from './waiting.module.css'

/** How much waits in all queues, and where. */
export default function Waiting() {
  const t = useText('review')
  const calls = useApi()
  const [count, setCount] = useState(0)
  const [round, askAgain] = useReducer((before: number) => before + 1, 0)
  useLive(reviewLive.waiting, 'all', askAgain, askAgain)
  useEffect(() => {
    if (round === 0) return undefined
    let isLatest = true
    calls.send(siteCalls.reviewing, { passingError: true, ignoreServerError: true }).then(
      (queues) => isLatest && setCount(queues.reduce((sum, { todo_amount }) => sum + todo_amount, 0)),
      // What was known stays until the next time.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [calls, round])
  if (count === 0) return null
  const label = t('waiting', { count })
  return (
    <Link to="/review" className={styles.link} title={label} aria-label={label}>
      <Icon name="shield" size={20} />
      <span className={styles.count} aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
    </Link>
  )
}
