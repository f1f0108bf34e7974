import type { ReplyOf } from '@stoa/sdk'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { siteCalls } from '../shared/api.ts'
import { LegalPage } from './legal-page.tsx'

type Texts = ReplyOf<typeof siteCalls.legalText>

export const load = ({ get }: PageRequest) => get(siteCalls.legalText, { query: { info_type: 'privacy' } })

export const head = (_: Texts, { t }: { t: (key: string) => string }): Head => ({ title: t('legal.privacy'), canonical: '/privacy' })

export default function PrivacyPage({ data }: PageProps<Texts>) {
  return <LegalPage title={useText('site')('legal.privacy')} html={data.privacy_policy_parsed_text} />
}
