import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Time } from '@stoa/sdk/ui/time'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { useLogin, useText } from '@stoa/sdk/web'
import styles from './guestbook.module.css'
import { SignForm } from './sign-form.tsx'

interface Entry {
  id: number
  name: string
  text: string
  created_at: number
}

/** Runs on the server for the first view, so that the entries stand in the HTML. */
export const load = (request: PageRequest): Promise<Entry[]> => request.get<Entry[]>('/answer/api/v1/guestbook')

export default function GuestbookPage({ data, reload }: PageProps<Entry[]>) {
  const t = useText('guestbook')
  const { isActivated } = useLogin()
  return (
    <>
      <PageTitle text={t('page.text')}>{t('page.title')}</PageTitle>
      {isActivated && <SignForm onSigned={reload} />}
      {data.length === 0 ? (
        <EmptyState icon="book" title={t('page.empty')} />
      ) : (
        <ol className={styles.entries}>
          {data.map((entry) => (
            <li key={entry.id} className={styles.entry}>
              <p>{entry.text}</p>
              <p className={styles.by}>
                {entry.name} <Time at={entry.created_at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
