import { Button } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useApi, useText, useToast } from '@stoa/sdk/web'
import { useMemo, useState } from 'react'
import { historySlots } from '../../history/shared/api.ts'
import type { ChangedMeanwhile } from '../shared/api.ts'
import { tagCalls } from '../shared/api.ts'
import type { TagValues } from './tag-form.tsx'
import { TagForm } from './tag-form.tsx'
import styles from './tags.module.css'
import type { TagDetail } from './types.ts'
import { tagPath } from './types.ts'

export async function load(request: PageRequest): Promise<TagDetail> {
  return request.get(tagCalls.info, { query: { id: request.params.tagId }, allow404: true })
}

/** It stands above the form whose button is below: leads there once. */
const focused = (node: HTMLElement | null): void => node?.focus()

/** Rewriting a tag. */
export default function EditPage({ data }: PageProps<TagDetail>) {
  const t = useText('tags')
  const calls = useApi()
  const toast = useToast()
  const initial = useMemo((): TagValues => {
    const { slug_name, display_name, original_text, version } = data
    return { slug_name, display_name, original_text, edit_summary: '', base: version }
  }, [data])
  const [conflict, setConflict] = useState<ChangedMeanwhile>()
  const send = async (values: TagValues) => {
    try {
      const { wait_for_review } = await calls.send(tagCalls.update, { body: { ...values, tag_id: data.tag_id }, passingError: true })
      toast({ text: t(wait_for_review ? 'form.waits' : 'form.saved'), tone: 'success' })
      if (wait_for_review) return `${tagPath(data.slug_name)}/info`
    } catch (error) {
      const { reason, data } = error as ApiError
      if (reason === 'error.tag.changed_meanwhile') setConflict(data as ChangedMeanwhile)
      throw error
    }
    return `${tagPath(values.slug_name.trim().toLowerCase().replace(/\s+/g, '-'))}/info`
  }
  return (
    <>
      <PageTitle text={data.display_name}>{t('form.edit_title')}</PageTitle>
      <TagForm
        initial={initial}
        draft={`tag:${data.tag_id}`}
        submitLabel={t('form.save')}
        cancelTo={`${tagPath(data.slug_name)}/info`}
        onSend={send}
        extra={({ edit_summary = '' }, set) => (
          <TextField label={t('form.summary')} value={edit_summary} onChange={(text) => set({ edit_summary: text })} maxLength={255} />
        )}
        above={(values, set) => (
          <>
            {conflict && (
              <EditConflict
                conflict={conflict}
                values={values}
                onSettle={(part) => {
                  set({ ...part, base: conflict.version })
                  setConflict(undefined)
                }}
              />
            )}
            <Slot
              of={historySlots.versions}
              waiting={<Skeleton shape="small" />}
              props={{ id: data.tag_id, content: values.original_text, onChoose: ({ content }) => set({ original_text: content }) }}
            />
          </>
        )}
      />
    </>
  )
}

interface EditConflictProps {
  conflict: ChangedMeanwhile
  values: TagValues
  /** @param part what of theirs is taken */
  onSettle(part: Partial<TagValues>): void
}

/** Somebody else was quicker: what they wrote beside what is in the form. Nothing is overwritten until it is said so. */
function EditConflict({ conflict, values, onSettle }: EditConflictProps) {
  const t = useText('tags')
  const { slug_name, display_name, original_text } = conflict
  const isNamed = display_name !== values.display_name || slug_name !== values.slug_name
  return (
    <div ref={focused} tabIndex={-1}>
      <Notice
        tone="warning"
        live
        title={t('conflict.title')}
        action={
          <div className={styles.buttons}>
            <Button onClick={() => onSettle({})}>{t('conflict.keep')}</Button>
            <Button onClick={() => onSettle({ slug_name, display_name, original_text })}>{t('conflict.take')}</Button>
          </div>
        }
      >
        <p>{t('conflict.text')}</p>
        {isNamed && <p>{t('conflict.their_name', { name: display_name, slug: slug_name })}</p>}
        <Slot
          of={historySlots.difference}
          props={{ before: original_text, after: values.original_text }}
          empty={<pre className={styles.theirs}>{original_text}</pre>}
        />
      </Notice>
    </div>
  )
}
