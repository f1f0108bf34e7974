import { TextField } from '@stoa/sdk/ui/field'
import { PageTitle } from '@stoa/sdk/ui/page'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useSite, useText, useToast } from '@stoa/sdk/web'
import { useMemo, useState } from 'react'
import type { ExperienceView } from '../shared/api.ts'
import { experienceCalls } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
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
  const [summary, setSummary] = useState('')
  const initial = useMemo(
    (): PostValues => ({
      title: data.title,
      content: data.content,
      tags: data.tags.map(({ slug_name, display_name }) => ({ slug_name, display_name })),
    }),
    [data],
  )
  const send = async (values: PostValues) => {
    const { url_title } = await calls.send(experienceCalls.update, {
      body: { ...values, id: data.id, edit_summary: summary },
      passingError: true,
    })
    toast({ text: t('edit.saved'), tone: 'success' })
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
        extra={<TextField label={t('edit.summary')} help={t('edit.summary_help')} value={summary} onChange={setSummary} maxLength={255} />}
        onSend={send}
      />
    </>
  )
}
