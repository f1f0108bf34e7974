import { TextField } from '@stoa/sdk/ui/field'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useApi, useSite, useText, useToast } from '@stoa/sdk/web'
import { useMemo } from 'react'
import { historySlots } from '../../history/shared/api.ts'
import type { ExperienceView } from '../shared/api.ts'
import { experienceCalls } from '../shared/api.ts'
import { turnedInto } from '../shared/turned-into.ts'
import { pathOf } from './addresses.ts'
import { EditConflict, useConflict } from './edit-conflict.tsx'
import type { PostValues } from './post-form.tsx'
import { PostForm } from './post-form.tsx'

export async function load(request: PageRequest): Promise<ExperienceView> {
  const id = request.params.qid ?? ''
  await request.get(experienceCalls.editCheck, { query: { id } })
  return request.get(experienceCalls.info, { query: { id }, allow404: true })
}

/** Rewriting an experience. */
export default function EditPage({ data }: PageProps<ExperienceView>) {
  const t = useText('experiences')
  const calls = useApi()
  const site = useSite()
  const toast = useToast()
  const { conflict, catching, forget } = useConflict()
  const initial = useMemo(
    (): PostValues => ({
      title: data.title,
      content: data.content,
      tags: data.tags.map(({ slug_name, display_name }) => ({ slug_name, display_name })),
      extensions: data.extensions,
      edit_summary: '',
      base: data.version,
    }),
    [data],
  )
  const send = async (values: PostValues) => {
    const body = { ...values, id: data.id }
    const { url_title, wait_for_review } = await catching(calls.send(experienceCalls.update, { body, passingError: true }))
    toast({ text: t(wait_for_review ? 'edit.waits' : 'edit.saved'), tone: 'success' })
    return pathOf(site, { id: data.id, url_title: url_title || data.url_title })
  }
  return (
    <>
      <PageTitle>{t('edit.title')}</PageTitle>
      <PostForm
        initial={initial}
        draft={`experience:${data.id}`}
        submitLabel={t('edit.submit')}
        cancelTo={pathOf(site, data)}
        cancelLabel={t('edit.cancel')}
        extra={({ edit_summary = '' }, set) => (
          <TextField
            label={t('edit.summary')}
            help={t('edit.summary_help')}
            value={edit_summary}
            onChange={(text) => set({ edit_summary: text })}
            maxLength={255}
          />
        )}
        above={(values, set) => (
          <>
            {conflict && <EditConflict conflict={conflict} values={values} onTake={set} onSettle={forget} />}
            <Slot
              of={historySlots.versions}
              waiting={<Skeleton shape="small" />}
              props={{
                id: data.id,
                content: values.content,
                onChoose: ({ extensions, ...text }) =>
                  set({ ...text, ...(extensions && { extensions: turnedInto(values.extensions, extensions) }) }),
              }}
            />
          </>
        )}
        onSend={send}
      />
    </>
  )
}
