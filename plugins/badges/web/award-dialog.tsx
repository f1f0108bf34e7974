import type { ReplyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { useApi, useLogin, useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import { badgeCalls } from '../shared/api.ts'
import styles from './award-dialog.module.css'
import { Medal } from './medal.tsx'

/** Says which badges somebody got, with confetti over it where motion is welcome. Shown once: opening it counts. */
export default function AwardDialog({ awards, onClose }: { awards: ReplyOf<typeof badgeCalls.unseen>; onClose(): void }) {
  const t = useText('badges')
  const api = useApi()
  const { person } = useLogin()
  const sky = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const body = { award_ids: awards.map(({ award_id }) => award_id) }
    // If that fails it is shown again, which does no harm.
    api.send(badgeCalls.seen, { body, passingError: true, ignoreServerError: true }).catch(() => {})
  }, [api, awards])
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
    <Dialog
      open
      size="small"
      title={t('award.title', { count: awards.length })}
      onClose={onClose}
      actions={
        <>
          <ButtonLink to={`/users/${person?.username}/badges`} onClick={onClose}>
            {t('award.see')}
          </ButtonLink>
          <Button variant="primary" onClick={onClose}>
            {t('award.close')}
          </Button>
        </>
      }
    >
      <div className={styles.sky} aria-hidden="true">
        <canvas ref={sky} />
      </div>
      <ul className={styles.list}>
        {awards.map((award) => (
          <li key={award.award_id} className={styles.award}>
            <Medal icon={award.icon} level={award.level} size={awards.length === 1 ? 'large' : 'medium'} />
            <div>
              <p className={styles.name}>{award.name}</p>
              <p className={styles.level}>{t(`level.${award.level}`)}</p>
              <p>{award.description}</p>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
