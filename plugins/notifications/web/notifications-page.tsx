import type { ReplyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { SkeletonRows } from '@stoa/sdk/ui/skeleton'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { ApiError, Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useLogin, useText, useToast } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useEffect, useRef, useState } from 'react'
import { noticeCalls, noticeLive } from '../shared/api.ts'
import { NoticeRow } from './notice-row.tsx'
import styles from './notifications-page.module.css'
import { say } from './told.ts'

const SIZE = 20
const types = ['inbox', 'achievement'] as const
const tabs = ['all', 'posts', 'votes', 'invites'] as const

interface Shown {
  type: (typeof types)[number]
  tab: (typeof tabs)[number]
  page: number
  notices: ReplyOf<typeof noticeCalls.page>
}

const root = '/users/notifications'

export async function load({ params, query, get, redirect, notFound }: PageRequest): Promise<Shown> {
  if (params.type === undefined) return redirect(`${root}/inbox`)
  const type = types.find((one) => one === params.type)
  const tab = tabs.find((one) => one === (params.subType ?? 'all'))
  if (!type || !tab || (type === 'achievement' && tab !== 'all')) return notFound()
  const asked = Number(query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const notices = await get(noticeCalls.page, { query: { type, inbox_type: tab, page, page_size: SIZE } })
  return { type, tab, page, notices }
}

export const head = (_: Shown): Head => ({ noindex: true })

export const Waiting = () => <SkeletonRows rows={8} />

/** What happened for the reader. Being here clears the red dot; what was read is marked one by one, or all at once. */
export default function NotificationsPage({ data: { type, tab, page, notices }, reload }: PageProps<Shown>) {
  const t = useText('notifications')
  const calls = useApi()
  const toast = useToast()
  const { person } = useLogin()
  const [busy, setBusy] = useState(false)
  const [isBehind, setBehind] = useState(false)
  /** Marked in this tab since the list came. */
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const known = useRef(notices)
  if (known.current !== notices) {
    known.current = notices
    setRead(new Set())
    setBehind(false)
  }
  const isUnread = ({ id, is_read }: Shown['notices']['list'][number]) => !is_read && !read.has(id)

  // The list stands there: what is new in it has been seen.
  useEffect(() => {
    calls.send(noticeCalls.clearStatus, { body: { type }, passingError: true, ignoreServerError: true }).then(say, () => {})
  }, [calls, type, notices])
  useLive(noticeLive.status, person?.id, (now) => now[type] > 0 && setBehind(true))

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      const { shown, msg, message } = error as ApiError
      if (!shown) toast({ text: msg || message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const readOne = (id: string) =>
    attempt(async () => {
      setRead((before) => new Set(before).add(id))
      await calls.send(noticeCalls.readOne, { body: { id } })
    })
  const readAll = () =>
    attempt(async () => {
      await calls.send(noticeCalls.readAll, { body: { type } })
      await reload()
    })

  return (
    <>
      <PageTitle
        actions={
          <ButtonLink to="/users/settings/notify" variant="quiet" icon="settings">
            {t('settings.open')}
          </ButtonLink>
        }
      >
        {t('title')}
      </PageTitle>
      <TabLinks label={t('title')} items={types.map((one) => ({ to: `${root}/${one}`, label: t(`type.${one}`), current: one === type }))} />
      {type === 'inbox' && (
        <TabLinks
          label={t('tab.label')}
          items={tabs.map((one) => ({
            to: one === 'all' ? `${root}/inbox` : `${root}/inbox/${one}`,
            label: t(`tab.${one}`),
            current: one === tab,
          }))}
        />
      )}
      <div className={styles.bar}>
        <div role="status">
          {isBehind && (
            <Button size="small" icon="refresh" busy={busy} onClick={() => void attempt(reload)}>
              {t('show_new')}
            </Button>
          )}
        </div>
        {notices.list.some(isUnread) && (
          <Button variant="quiet" size="small" icon="check" busy={busy} onClick={() => void readAll()}>
            {t('read_all')}
          </Button>
        )}
      </div>
      {notices.count === 0 ? (
        <EmptyState icon={type === 'inbox' ? 'inbox' : 'award'} title={t(`empty.${type}`)} text={t(`empty.${type}_text`)} />
      ) : (
        <ul className={styles.list}>
          {notices.list.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} isUnread={isUnread(notice)} onRead={() => void readOne(notice.id)} />
          ))}
        </ul>
      )}
      <Pagination page={page} pageSize={SIZE} total={notices.count} />
    </>
  )
}
