import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { LegalPage } from './legal-page.tsx'

type Texts = { privacy_policy_parsed_text?: string }

export const load = ({ get }: PageRequest) => get<Texts>('/answer/api/v1/siteinfo/legal', { query: { info_type: 'privacy' } })

export const head = (_: Texts, { t }: { t: (key: string) => string }): Head => ({ title: t('legal.privacy'), canonical: '/privacy' })

export default function PrivacyPage({ data }: PageProps<Texts>) {
  return <LegalPage title={useText('site')('legal.privacy')} html={data.privacy_policy_parsed_text} />
}
