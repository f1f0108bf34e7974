import { PageTitle } from '@stoa/sdk/ui/page'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { tagCalls } from '../shared/api.ts'
import type { TagValues } from './tag-form.tsx'
import { TagForm } from './tag-form.tsx'
import { tagPath } from './types.ts'

const empty: TagValues = { slug_name: '', display_name: '', original_text: '' }

/** A new tag, made by staff. */
export default function CreatePage() {
  const t = useText('tags')
  const calls = useApi()
  const toast = useToast()
  const send = async (values: TagValues) => {
    const { slug_name } = await calls.send(tagCalls.create, { body: values, passingError: true })
    toast({ text: t('form.saved'), tone: 'success' })
    return `${tagPath(slug_name)}/info`
  }
  return (
    <>
      <PageTitle>{t('form.create_title')}</PageTitle>
      <TagForm initial={empty} draft="tag" submitLabel={t('form.create')} cancelTo="/tags" onSend={send} />
    </>
  )
}
