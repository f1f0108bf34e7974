import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Section } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Time } from '@stoa/sdk/ui/time'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, Slot, useApi, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountSlots } from '../../accounts/shared/api.ts'
import { mutingCalls } from '../shared/api.ts'
import styles from './muting.module.css'

const size = 20

interface Shown {
  muted: ReplyOf<typeof mutingCalls.own>
  page: number
}

export async function load({ get, query }: PageRequest): Promise<Shown> {
  const asked = Number(query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  return { muted: await get(mutingCalls.own, { query: { page, page_size: size } }), page }
}

/** Among the settings: whom somebody has muted. */
export default function MutingPage(page: PageProps<Shown>) {
  return <Slot of={accountSlots.settingsFrame} props={{ children: <Muted {...page} /> }} />
}

function Muted({ data: { muted, page }, reload }: PageProps<Shown>) {
  const t = useText('muting')
  const api = useApi()
  const toast = useToast()
  const [busy, setBusy] = useState('')

  async function unmute({ username, display_name }: (typeof muted)['list'][number]['person']): Promise<void> {
    setBusy(username)
    try {
      await api.send(mutingCalls.set, { body: { username, mute: false } })
      await reload()
      toast({ text: t('unmuted', { name: display_name }), tone: 'success' })
    } catch {
      // The call has said what is wrong.
    }
    setBusy('')
  }

  if (muted.count === 0) return <EmptyState icon="eye-off" title={t('empty_title')} text={t('empty_text')} />
  return (
    <Section title={t('title')} text={t('explain')}>
      <ul className={styles.list}>
        {muted.list.map(({ person, created_at }) => (
          <li key={person.id}>
            <Avatar name={person.display_name} src={person.avatar} size={32} />
            <span className={styles.who}>
              <Link to={`/users/${person.username}`} dir="auto">
                {person.display_name}
              </Link>
            </span>
            <span className={styles.when}>
              <Time at={created_at} phrase={(time) => t('since', { time })} />
            </span>
            <Button
              busy={busy === person.username}
              aria-label={t('unmute_label', { name: person.display_name })}
              onClick={() => void unmute(person)}
            >
              {t('unmute')}
            </Button>
          </li>
        ))}
      </ul>
      <Pagination page={page} pageSize={size} total={muted.count} />
    </Section>
  )
}
