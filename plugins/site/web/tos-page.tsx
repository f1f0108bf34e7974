import type { ReplyOf } from '@stoa/sdk'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { siteCalls } from '../shared/api.ts'
import { LegalPage } from './legal-page.tsx'

type Texts = ReplyOf<typeof siteCalls.legalText>

export const load = ({ get }: PageRequest) => get(siteCalls.legalText, { query: { info_type: 'tos' } })

export const head = (_: Texts, { t }: { t: (key: string) => string }): Head => ({ title: t('legal.tos'), canonical: '/tos' })

export default function TosPage({ data }: PageProps<Texts>) {
  return <LegalPage title={useText('site')('legal.tos')} html={data.terms_of_service_parsed_text} />
}
