import { PageTitle } from '@stoa/sdk/ui/page'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { useMemo } from 'react'
import { tagCalls } from '../shared/api.ts'
import type { TagValues } from './tag-form.tsx'
import { TagForm } from './tag-form.tsx'
import type { TagDetail } from './types.ts'
import { tagPath } from './types.ts'

export async function load(request: PageRequest): Promise<TagDetail> {
  return request.get(tagCalls.info, { query: { id: request.params.tagId }, allow404: true })
}

/** Rewriting a tag. */
export default function EditPage({ data }: PageProps<TagDetail>) {
  const t = useText('tags')
  const calls = useApi()
  const toast = useToast()
  const initial = useMemo(
    (): TagValues => ({ slug_name: data.slug_name, display_name: data.display_name, original_text: data.original_text }),
    [data],
  )
  const send = async (values: TagValues) => {
    await calls.send(tagCalls.update, { body: { ...values, tag_id: data.tag_id }, passingError: true })
    toast({ text: t('form.saved'), tone: 'success' })
    return `${tagPath(values.slug_name.trim().toLowerCase().replace(/\s+/g, '-'))}/info`
  }
  return (
    <>
      <PageTitle text={data.display_name}>{t('form.edit_title')}</PageTitle>
      <TagForm initial={initial} submitLabel={t('form.save')} cancelTo={`${tagPath(data.slug_name)}/info`} onSend={send} />
    </>
  )
}
