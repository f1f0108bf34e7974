import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { DraftNotice } from '@stoa/sdk/ui/draft-notice'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError, Head, PageModule, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, Slot, useApi, useDraft, useNavigate, usePageLeave, useSite, useText, useToast } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { experienceCalls, experiencePath } from '../../experiences/shared/api.ts'
import { historySlots } from '../../history/shared/api.ts'
import type { AnswerView, ChangedMeanwhile } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import styles from './answers.module.css'
import { TextPlace } from './text-place.tsx'
import type { Experience } from './types.ts'

interface EditData {
  info: AnswerView
  experience: Experience
}

interface EditValues {
  content: string
  /** What was changed and why. */
  summary: string
  /** Version the edit is made from. It stays with the draft, so that one that is sent late overwrites nothing. */
  base: number | undefined
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

/** It stands above the form whose button is below: leads there once. */
const focused = (node: HTMLElement | null): void => node?.focus()

/** `/posts/:qid/:aid/edit` */
export default function EditPage({ data }: PageProps<EditData>) {
  const api = useApi()
  const toast = useToast()
  const t = useText('answers')
  const site = useSite()
  const navigate = useNavigate()
  const { info, experience } = data
  const back = experiencePath(Number(site.site_seo?.permalink) || 1, experience, info.id)
  const initial: EditValues = { content: info.content, summary: '', base: info.version }
  const [values, setValues] = useState(initial)
  const { content, summary, base } = values
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [conflict, setConflict] = useState<ChangedMeanwhile>()
  const [state, setState] = useState<'writing' | 'busy' | 'sent'>('writing')
  const isSame = (now: EditValues) => now.content === info.content && now.summary === ''
  const draft = useDraft(`answer-edit:${info.id}`, values, isSame, setValues)
  usePageLeave(state === 'writing' && !isSame(values) && !draft.isKept)

  /** What was wrong with a field is not said of what stands there now. */
  const change = (name: string, part: Partial<EditValues>) => {
    setValues((now) => ({ ...now, ...part }))
    setErrors(({ [name]: _, ...others }) => others)
  }

  /** From now on the edit is one of the text that stands there now. */
  function settle(text: string): void {
    setValues({ content: text, summary, base: conflict?.version })
    setConflict(undefined)
    setFailure('')
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (state !== 'writing') return
    setState('busy')
    setErrors({})
    setFailure('')
    try {
      const body = { id: info.id, experience_id: experience.id, content, edit_summary: summary, ...(base !== undefined && { base }) }
      const { wait_for_review } = await api.send(answerCalls.update, { body, passingError: true, ignoreServerError: true })
      draft.clear()
      setState('sent')
      toast({ text: t(wait_for_review ? 'edit.review' : 'edit.done'), tone: 'success' })
      navigate(back, { replace: true })
    } catch (cause) {
      const { fields = {}, message, shown, reason, data } = cause as Partial<ApiError> & { message: string }
      if (reason === 'error.answer.changed_meanwhile') setConflict(data as ChangedMeanwhile)
      setErrors(fields)
      setFailure(Object.keys(fields).length > 0 || shown ? '' : message)
      setState('writing')
    }
  }

  return (
    <form method="post" className={styles.page} onSubmit={(event) => void send(event)} noValidate>
      <PageTitle
        text={
          <>
            {t('edit.parent')} <Link to={back}>{experience.title}</Link>
          </>
        }
      >
        {t('edit.title')}
      </PageTitle>
      <DraftNotice
        draft={draft}
        isChanged={!isSame(values)}
        onDiscard={() => {
          draft.clear()
          setValues(initial)
          setErrors({})
        }}
      />
      {conflict && (
        <div ref={focused} tabIndex={-1}>
          <Notice
            tone="warning"
            live
            title={conflict.editor ? t('conflict.title_by', { name: conflict.editor }) : t('conflict.title')}
            action={
              <div className={styles.buttons}>
                <Button onClick={() => settle(content)}>{t('conflict.keep')}</Button>
                <Button onClick={() => settle(conflict.content)}>{t('conflict.take')}</Button>
              </div>
            }
          >
            <p>{t('conflict.text')}</p>
            <Slot
              of={historySlots.difference}
              props={{ before: conflict.content, after: content }}
              empty={<pre className={styles.theirs}>{conflict.content}</pre>}
            />
          </Notice>
        </div>
      )}
      <Slot
        of={historySlots.versions}
        waiting={<Skeleton shape="small" />}
        props={{ id: info.id, content, onChoose: (text) => change('content', { content: text.content }) }}
      />
      <TextPlace
        id="answer-content"
        label={t('edit.label')}
        value={content}
        onChange={(text) => change('content', { content: text })}
        error={errors.content ?? ''}
      />
      <TextField
        label={t('edit.summary')}
        help={t('edit.summary_help')}
        value={summary}
        onChange={(text) => change('edit_summary', { summary: text })}
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
