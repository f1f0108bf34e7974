import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { ConfirmDialog } from '@stoa/sdk/ui/dialog'
import { Icon } from '@stoa/sdk/ui/icon'
import { Section } from '@stoa/sdk/ui/page'
import { SkeletonRows } from '@stoa/sdk/ui/skeleton'
import { Time } from '@stoa/sdk/ui/time'
import { useApi, useLogin, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './sessions-page.module.css'
import { SettingsFrame } from './settings-frame.tsx'

type Session = ReplyOf<typeof accountCalls.sessions>[number]

export default function SessionsPage() {
  const { person } = useLogin()
  return <SettingsFrame page="sessions">{person && <Sessions />}</SettingsFrame>
}

/** Where the person is logged in, and the way to end it. */
function Sessions() {
  const api = useApi()
  const t = useAccountsText()
  const toast = useToast()
  const [sessions, setSessions] = useState<Session[]>()
  const [ending, setEnding] = useState('')
  const [asked, setAsked] = useState(false)

  const refresh = useCallback(async () => {
    const found = await api.send(accountCalls.sessions)
    setSessions([...found.filter(({ is_current }) => is_current), ...found.filter(({ is_current }) => !is_current)])
  }, [api])
  useEffect(() => {
    refresh().catch(() => setSessions([]))
  }, [refresh])

  /** @param id of a session, or `others` */
  async function end(id: string) {
    setEnding(id)
    try {
      await (id === 'others' ? api.send(accountCalls.endOtherSessions) : api.send(accountCalls.endSession, { body: { id } }))
      setAsked(false)
      await refresh()
      toast({ text: t('settings.sessions.ended'), tone: 'success' })
    } catch {
      // The call has said what is wrong.
    } finally {
      setEnding('')
    }
  }

  return (
    <Section
      title={t('settings.sessions.heading')}
      text={t('settings.sessions.lead')}
      actions={
        sessions?.some(({ is_current }) => !is_current) && (
          <Button onClick={() => setAsked(true)}>{t('settings.sessions.end_others')}</Button>
        )
      }
    >
      {sessions ? (
        <ul className={styles.list}>
          {sessions.map((session) => (
            <li key={session.id}>
              <Icon name="monitor" size={20} />
              <div className={styles.about}>
                <p className={styles.device}>
                  <bdi>{[session.browser, session.os].filter(Boolean).join(' · ') || t('settings.sessions.unknown')}</bdi>
                  {session.is_current && <Badge tone="success">{t('settings.sessions.current')}</Badge>}
                </p>
                <p className={styles.facts}>
                  {session.network && <span>{t('settings.sessions.network', { network: session.network })}</span>}
                  <Time at={session.used_at} phrase={(time) => t('settings.sessions.used', { time })} />
                </p>
              </div>
              {!session.is_current && (
                <Button busy={ending === session.id} onClick={() => void end(session.id)}>
                  {t('settings.sessions.end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <SkeletonRows rows={2} />
      )}
      <ConfirmDialog
        open={asked}
        title={t('settings.sessions.ask_title')}
        text={t('settings.sessions.ask')}
        confirm={t('settings.sessions.end_others')}
        busy={ending === 'others'}
        onConfirm={() => void end('others')}
        onCancel={() => setAsked(false)}
      />
    </Section>
  )
}
