import type { PropsOf } from '@stoa/sdk'
import { useText } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'
import type { captchaSlots } from '../../captcha/shared/api.ts'
import type { Work } from '../shared/puzzle.ts'
import { solve } from './solve.ts'
import styles from './widget.module.css'

/** Does the work by itself; nobody has to read or hear anything. */
export default function Widget(props: PropsOf<typeof captchaSlots.widget>) {
  const t = useText('captcha-pow')
  const [share, setShare] = useState(0)
  const latest = useRef(props)
  latest.current = props
  const { puzzle } = props
  useEffect(() => {
    const leaving = new AbortController()
    solve(puzzle as Work, leaving.signal, setShare).then((code) => {
      if (leaving.signal.aborted) return
      if (code === undefined) latest.current.fail(t('failed'))
      else latest.current.solve(code)
    })
    return () => leaving.abort()
  }, [puzzle, t])
  return (
    <div className={styles.work}>
      <p role="status">{t('working')}</p>
      <progress className={styles.bar} value={share} aria-hidden="true" />
    </div>
  )
}
