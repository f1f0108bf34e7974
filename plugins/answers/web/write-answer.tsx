import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { CallForm, useSentForm, WithoutScripts } from '@stoa/sdk/ui/call-form'
import type { NoticeProps } from '@stoa/sdk/ui/notice'
import { Notice } from '@stoa/sdk/ui/notice'
import { TextArea } from '@stoa/sdk/ui/text-area'
import { useHasDraft, useLogin, useSession, useSite, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { isLive } from '../../experiences/shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import { AnswerForm } from './answer-form.tsx'
import styles from './answers.module.css'
import type { Experience, ReadAnswer } from './types.ts'
import { isOpen } from './types.ts'

interface WriteAnswerProps {
  experience: Experience
  onWritten(answer: ReadAnswer): void
}

/** The place to answer, or the reason why there is none. The form is there once somebody wants to write. */
export function WriteAnswer({ experience, onWritten }: WriteAnswerProps) {
  const { askForLogin } = useSession()
  const t = useText('answers')
  const site = useSite()
  const { isLoggedIn } = useLogin()
  const [writing, setWriting] = useState<'no' | 'draft' | 'wanted'>('no')
  const [written, setWritten] = useState<string>()
  const hasDraft = useHasDraft(`answer:${experience.id}`)
  const own = written ?? (experience.answered ? experience.first_answer_id : undefined)
  const isRestricted = site.site_write?.restrict_answer !== false

  useEffect(() => {
    if (isLoggedIn && hasDraft) setWriting('draft')
  }, [isLoggedIn, hasDraft])

  // The form goes, and the focus with it: on to what it became.
  useEffect(() => {
    if (written) document.getElementById(`answer-${written}`)?.focus()
  }, [written])

  if (!isLive(experience)) return null
  if (!isOpen(experience)) return <Told>{t('write.closed')}</Told>
  if (own && (isRestricted || writing === 'no')) {
    const edit = (
      <ButtonLink to={`/posts/${experience.id}/${own}/edit`} size="small">
        {t('write.edit_yours')}
      </ButtonLink>
    )
    const another = !isRestricted && (
      <Button size="small" variant="quiet" onClick={() => setWriting('wanted')}>
        {t('write.another')}
      </Button>
    )
    return (
      <Told
        action={
          <>
            {edit} {another}
          </>
        }
      >
        {t('write.answered')}
      </Told>
    )
  }
  if (isLoggedIn && writing !== 'no') {
    return (
      <AnswerForm
        experienceId={experience.id}
        isWanted={writing === 'wanted'}
        onWritten={(answer) => {
          setWriting('no')
          setWritten(answer.id)
          onWritten(answer)
        }}
      />
    )
  }
  return (
    <>
      <button type="button" className={styles.invitation} onClick={() => (isLoggedIn ? setWriting('wanted') : askForLogin())}>
        <span className={styles.invitationTitle}>{t('write.title')}</span>
        <span>{isLoggedIn ? t('write.placeholder') : t('write.login')}</span>
      </button>
      <PlainForm experienceId={experience.id} />
    </>
  )
}

/** Where there are no scripts. */
function PlainForm({ experienceId }: { experienceId: string }) {
  const t = useText('answers')
  const sent = useSentForm(answerCalls.create)
  return (
    <WithoutScripts invitation={t('write.login')} sent={sent}>
      <CallForm call={answerCalls.create} members={{ experience_id: experienceId }} className={styles.form}>
        <TextArea
          label={t('write.label')}
          name="content"
          rows={8}
          defaultValue={sent?.values.content}
          placeholder={t('write.placeholder')}
          error={sent?.errors.content}
        />
        <div className={styles.buttons}>
          <Button type="submit" variant="primary">
            {t('write.submit')}
          </Button>
        </div>
      </CallForm>
    </WithoutScripts>
  )
}

/** A notice below the answers. */
function Told(props: NoticeProps) {
  return (
    <div className={styles.notice}>
      <Notice {...props} />
    </div>
  )
}
