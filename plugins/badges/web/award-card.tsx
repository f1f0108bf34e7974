import type { ReplyOf } from '@stoa/sdk'
import { ButtonLink, IconButton } from '@stoa/sdk/ui/button'
import { useApi, useLogin, useText } from '@stoa/sdk/web'
import { useEffect, useId, useRef } from 'react'
import { badgeCalls } from '../shared/api.ts'
import styles from './award-card.module.css'
import { Medal } from './medal.tsx'

/** Longer than a toast: it holds several lines. */
const SHOWN_SECONDS = 10

/**
 * Says which badges somebody got, with confetti over it where motion is welcome; it counts as seen once it is open. Above everything, but not modal:
 * it may come while somebody types, and takes neither the focus nor the page from them. It goes by itself.
 */
export default function AwardCard({ awards, onClose }: { awards: ReplyOf<typeof badgeCalls.unseen>; onClose(): void }) {
  const t = useText('badges')
  const api = useApi()
  const { person } = useLogin()
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  const sky = useRef<HTMLCanvasElement>(null)
  useEffect(() => card.current?.showPopover(), [])
  useEffect(() => {
    const body = { award_ids: awards.map(({ award_id }) => award_id) }
    // If that fails it is shown again, which does no harm.
    api.send(badgeCalls.seen, { body, passingError: true, ignoreServerError: true }).catch(() => {})
  }, [api, awards])
  const closeNow = useRef(onClose)
  closeNow.current = onClose
  useEffect(() => {
    let seconds = SHOWN_SECONDS
    const timer = setInterval(() => {
      // The style sheet hides it on phones while somebody types.
      const isSeen = !document.hidden && card.current?.checkVisibility({ visibilityProperty: true })
      if (!isSeen || card.current?.matches(':hover, :focus-within')) return
      seconds -= 1
      if (seconds === 0) closeNow.current()
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    const canvas = sky.current
    if (!canvas || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let end: (() => void) | undefined
    let isGone = false
    import('./confetti.ts').then(
      ({ confetti }) => {
        if (!isGone) end = confetti(canvas)
      },
      // It is only for joy.
      () => {},
    )
    return () => {
      isGone = true
      end?.()
    }
  }, [])
  return (
    <section ref={card} popover="manual" className={styles.card} aria-labelledby={titleId}>
      <div className={styles.sky} aria-hidden="true">
        <canvas ref={sky} />
      </div>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {t('award.title', { count: awards.length })}
        </h2>
        <IconButton icon="x" size="small" label={t('award.close')} onClick={onClose} />
      </div>
      <ul className={styles.list}>
        {awards.map((award) => (
          <li key={award.award_id} className={styles.award}>
            <Medal icon={award.icon} level={award.level} size={awards.length === 1 ? 'large' : 'medium'} />
            <div className={styles.words}>
              <p className={styles.name}>{award.name}</p>
              <p className={styles.level}>{t(`level.${award.level}`)}</p>
              <p className={styles.deed}>{award.description}</p>
            </div>
          </li>
        ))}
      </ul>
      <ButtonLink to={`/users/${person?.username}/badges`} onClick={onClose}>
        {t('award.see')}
      </ButtonLink>
    </section>
  )
}
