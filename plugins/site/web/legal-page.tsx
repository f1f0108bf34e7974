import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Prose } from '@stoa/sdk/ui/prose'
import { useText } from '@stoa/sdk/web'

/** A legal text of the owner, or a word that there is none yet. */
export function LegalPage({ title, html }: { title: string; html: string | undefined }) {
  const t = useText('site')
  return (
    <article>
      <PageTitle>{title}</PageTitle>
      {html ? <Prose html={html} /> : <EmptyState title={t('legal.empty_title')} text={t('legal.empty_text')} />}
    </article>
  )
}
