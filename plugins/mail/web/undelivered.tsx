import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button, IconButton } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Row, Section } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Table } from '@stoa/sdk/ui/table'
import { Time } from '@stoa/sdk/ui/time'
import { useApi, useSearchParams, useText, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import { mailCalls } from '../shared/api.ts'
import styles from './undelivered.module.css'

type List = ReplyOf<typeof mailCalls.undelivered>
type Mail = List['list'][number]

const SIZE = 20
/** As the server keeps them. */
const MOST = 500
const tones = { trying: 'neutral', given_up: 'danger', refused: 'danger', unsure: 'warning' } as const

/** Mails that no server has taken, with its words. */
export function Undelivered() {
  const api = useApi()
  const t = useText('mail')
  const toast = useToast()
  const [query] = useSearchParams()
  const page = Math.max(1, Number(query.get('page')) || 1)
  const [list, setList] = useState<List>()
  const [busy, setBusy] = useState<number | 'all'>()

  const load = useCallback(async () => {
    setList(await api.send(mailCalls.undelivered, { query: { page, page_size: SIZE } }))
  }, [api, page])
  useEffect(() => void load().catch(() => {}), [load])

  async function act(which: number | 'all', send: (body: { id?: number }) => Promise<void>): Promise<void> {
    setBusy(which)
    try {
      await send(which === 'all' ? {} : { id: which })
      await load()
    } catch {
      // Said by the call.
    } finally {
      setBusy(undefined)
    }
  }
  const again = (which: number | 'all') =>
    act(which, async (body) => {
      const { count } = await api.send(mailCalls.sendAgain, { body })
      toast({ text: count === 0 ? t('undelivered.started_zero') : t('undelivered.started', { count }), tone: 'success' })
    })
  const forget = (which: number | 'all') => act(which, async (body) => void (await api.send(mailCalls.forget, { body })))

  const actions = (mail: Mail) => (
    <Row gap={1} wrap={false}>
      {mail.can_send_again && (
        <Button
          size="small"
          icon="send"
          aria-label={t('undelivered.again_label', { email: mail.to })}
          busy={busy === mail.id}
          onClick={() => void again(mail.id)}
        >
          {t('undelivered.again')}
        </Button>
      )}
      <IconButton size="small" icon="trash" label={t('undelivered.forget')} onClick={() => void forget(mail.id)} />
    </Row>
  )

  return (
    <Section
      id="undelivered"
      title={t('undelivered.title')}
      text={t('undelivered.purpose', { most: MOST })}
      actions={
        list &&
        list.count > 1 && (
          <>
            <Button size="small" icon="send" busy={busy === 'all'} onClick={() => void again('all')}>
              {t('undelivered.again_all')}
            </Button>
            <Button size="small" variant="quiet" onClick={() => void forget('all')}>
              {t('undelivered.forget_all')}
            </Button>
          </>
        )
      }
    >
      {!list && <Skeleton lines={4} />}
      {list && (
        <Table
          caption={t('undelivered.title')}
          rows={list.list}
          rowKey={(mail) => mail.id}
          busy={busy !== undefined}
          empty={<EmptyState icon="check-circle" title={t('undelivered.none')} />}
          columns={[
            {
              key: 'mail',
              label: t('undelivered.what'),
              header: true,
              render: (mail) => (
                <div className={styles.mail}>
                  <span className={styles.to}>{mail.to}</span>
                  <span dir="auto">{mail.subject}</span>
                </div>
              ),
            },
            {
              key: 'why',
              label: t('undelivered.why'),
              render: (mail) => (
                <div className={styles.why}>
                  <Badge tone={tones[mail.state]}>{t(`undelivered.state.${mail.state}`)}</Badge>
                  <span className={styles.reason}>{mail.state === 'unsure' ? t('undelivered.unsure') : mail.reason}</span>
                </div>
              ),
            },
            {
              key: 'when',
              label: t('undelivered.when'),
              narrow: true,
              render: (mail) => (
                <div className={styles.when}>
                  <Time at={mail.last_at} />
                  <span>{t('undelivered.tries', { count: mail.tries })}</span>
                </div>
              ),
            },
            { key: 'actions', label: t('undelivered.actions'), hideLabel: true, narrow: true, render: actions },
          ]}
        />
      )}
      {list && <Pagination page={page} pageSize={SIZE} total={list.count} hash="undelivered" />}
    </Section>
  )
}
