import { Icon } from '@stoa/sdk/ui/icon'
import { Link, useApi, useLogin, useText } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useEffect, useReducer, useState } from 'react'
import { historyCalls, historyLive } from '../shared/api.ts'
import styles from './review-link.module.css'

/** In the header of those who may review, while something waits for them: how much, and where. */
export default function ReviewLink() {
  const { person, isActivated, isForbidden } = useLogin()
  return person && isActivated && !isForbidden ? <Waiting /> : null
}

function Waiting() {
  const t = useText('history')
  const calls = useApi()
  const [count, setCount] = useState(0)
  const [round, askAgain] = useReducer((before: number) => before + 1, 0)
  useLive(historyLive.waiting, 'all', askAgain)
  useEffect(() => {
    let isLatest = true
    calls.send(historyCalls.unreviewed, { query: { page: 1 }, passingError: true, ignoreServerError: true }).then(
      (queue) => isLatest && setCount(queue.count),
      // What was known stays until the next time.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [calls, round])
  if (count === 0) return null
  const label = t('review.waiting', { count })
  return (
    <Link to="/review" className={styles.link} title={label} aria-label={label}>
      <Icon name="history" size={20} />
      <span className={styles.count} aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
    </Link>
  )
}
