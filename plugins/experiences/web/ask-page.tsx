import { PageTitle } from '@stoa/sdk/ui/page'
import { useApi, useSite, useText, useToast } from '@stoa/sdk/web'
import { experienceCalls } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
import type { PostValues } from './post-form.tsx'
import { PostForm } from './post-form.tsx'

const empty: PostValues = { title: '', content: '', tags: [] }

/** Writing a new experience. */
export default function AskPage() {
  const t = useText('experiences')
  const calls = useApi()
  const site = useSite()
  const toast = useToast()
  const send = async (values: PostValues) => {
    const post = await calls.send(experienceCalls.create, { body: values, passingError: true })
    toast({ text: t('ask.posted'), tone: 'success' })
    return pathOf(site, post)
  }
  return (
    <>
      <PageTitle text={t('ask.lead')}>{t('ask.title')}</PageTitle>
      <PostForm initial={empty} draft="experience" submitLabel={t('ask.submit')} suggests onSend={send} />
    </>
  )
}
