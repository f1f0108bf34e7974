import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import type { Head, PageModule, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useKernel, useNavigate, usePageLeave, useSite, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { experienceCalls, experiencePath } from '../../experiences/shared/api.ts'
import type { AnswerView } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import styles from './answers.module.css'
import { TextPlace } from './text-place.tsx'
import type { Experience } from './types.ts'

interface EditData {
  info: AnswerView
  experience: Experience
}

/** The server says first whether this person may edit; its refusal becomes the error page. */
export async function load({ params, get }: PageRequest): Promise<EditData> {
  const id = params.aid ?? ''
  const [found] = await Promise.all([
    get(answerCalls.info, { query: { id }, allow404: true }),
    get(experienceCalls.editCheck, { query: { id } }),
  ])
  return found
}

export const head: NonNullable<PageModule<EditData>['head']> = (_data, { t }): Head => ({ title: t('edit.title'), noindex: true })

/** `/posts/:qid/:aid/edit` */
export default function EditPage({ data }: PageProps<EditData>) {
  const kernel = useKernel()
  const t = useText('answers')
  const site = useSite()
  const navigate = useNavigate()
  const { info, experience } = data
  const back = experiencePath(Number(site.site_seo?.permalink) || 1, experience, info.id)
  const [content, setContent] = useState(info.content)
  const [summary, setSummary] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [state, setState] = useState<'writing' | 'busy' | 'sent'>('writing')
  usePageLeave(state === 'writing' && content !== info.content)

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (state !== 'writing') return
    setState('busy')
    setErrors({})
    setFailure('')
    try {
      const body = { id: info.id, experience_id: experience.id, content, edit_summary: summary }
      const { wait_for_review } = await kernel.api.send(answerCalls.update, { body, passingError: true, ignoreServerError: true })
      setState('sent')
      kernel.toast({ text: t(wait_for_review ? 'edit.review' : 'edit.done'), tone: 'success' })
      navigate(back, { replace: true })
    } catch (cause) {
      const { fields = {}, message, shown } = cause as { fields?: Record<string, string>; message: string; shown?: boolean }
      setErrors(fields)
      setFailure(Object.keys(fields).length > 0 || shown ? '' : message)
      setState('writing')
    }
  }

  return (
    <form className={styles.page} onSubmit={(event) => void send(event)} noValidate>
      <PageTitle
        text={
          <>
            {t('edit.parent')} <Link to={back}>{experience.title}</Link>
          </>
        }
      >
        {t('edit.title')}
      </PageTitle>
      <TextPlace id="answer-content" label={t('edit.label')} value={content} onChange={setContent} error={errors.content ?? ''} />
      <TextField
        label={t('edit.summary')}
        help={t('edit.summary_help')}
        value={summary}
        onChange={setSummary}
        maxLength={255}
        error={errors.edit_summary}
      />
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={state !== 'writing'}>
          {t(state === 'writing' ? 'edit.submit' : 'edit.submitting')}
        </Button>
        <ButtonLink to={back} variant="quiet">
          {t('edit.cancel')}
        </ButtonLink>
      </div>
    </form>
  )
}
