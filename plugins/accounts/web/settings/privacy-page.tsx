import type { ReplyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { RadioGroup } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Section } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { formatDateTime, useApi, useLanguage, useLogin, useNavigate, useSession, useTimeZone } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './privacy-page.module.css'
import { SettingsFrame } from './settings-frame.tsx'

type Archive = ReplyOf<typeof accountCalls.ownArchive>

/** While one is made, this often is looked whether it is there. */
const LOOK_MS = 2000

export default function PrivacyPage() {
  const { person } = useLogin()
  return (
    <SettingsFrame page="privacy">
      {person && <OwnArchive />}
      {person && <Leaving />}
    </SettingsFrame>
  )
}

const megabytes = (bytes: number, language: string) =>
  new Intl.NumberFormat(language.replace('_', '-'), { maximumFractionDigits: 1 }).format(Math.max(0.1, bytes / 1024 / 1024))

function OwnArchive() {
  const api = useApi()
  const t = useAccountsText()
  const language = useLanguage()
  const zone = useTimeZone()
  const [archive, setArchive] = useState<Archive>()
  const [busy, setBusy] = useState(false)

  const refresh = useCallback(async () => setArchive(await api.send(accountCalls.ownArchive)), [api])
  useEffect(() => {
    refresh().catch(() => undefined)
  }, [refresh])
  const isMaking = archive?.state === 'making'
  useEffect(() => {
    if (!isMaking) return
    const timer = setInterval(() => void refresh().catch(() => undefined), LOOK_MS)
    return () => clearInterval(timer)
  }, [isMaking, refresh])

  async function ask() {
    setBusy(true)
    try {
      setArchive(await api.send(accountCalls.askArchive))
    } catch {
      // The call has said what is wrong.
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={t('settings.privacy.archive')} text={t('settings.privacy.archive_lead')}>
      {!archive && <Skeleton shape="button" />}
      {isMaking && <Notice live>{t('settings.privacy.archive_making')}</Notice>}
      {archive?.state === 'ready' && (
        <Notice
          tone="success"
          live
          action={
            <ButtonLink to={archive.url} icon="download" download="my-data.zip">
              {t('settings.privacy.archive_download', { megabytes: megabytes(archive.bytes, language) })}
            </ButtonLink>
          }
        >
          {t('settings.privacy.archive_ready', { date: formatDateTime(archive.expires_at, language, zone) })}
        </Notice>
      )}
      {archive && !isMaking && (
        <p>
          <Button busy={busy} onClick={() => void ask()}>
            {t(archive.state === 'ready' ? 'settings.privacy.archive_again' : 'settings.privacy.archive_ask')}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Leaving() {
  const api = useApi()
  const t = useAccountsText()
  const { logout } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [content, setContent] = useState<'keep' | 'remove'>('keep')
  const [busy, setBusy] = useState(false)

  async function leave() {
    setBusy(true)
    try {
      await api.send(accountCalls.leave, { body: { remove_all_content: content === 'remove' } })
      logout()
      navigate('/users/account-leaving', { replace: true })
    } catch {
      // The call has said what is wrong.
      setBusy(false)
      setOpen(false)
    }
  }

  return (
    <Section title={t('settings.privacy.leave')} text={t('settings.privacy.leave_lead')}>
      <p>
        <Button variant="danger" onClick={() => setOpen(true)}>
          {t('settings.privacy.leave_open')}
        </Button>
      </p>
      <Dialog
        open={open}
        title={t('settings.privacy.leave_title')}
        closable={!busy}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onClick={() => setOpen(false)} disabled={busy}>
              {t('settings.privacy.leave_not')}
            </Button>
            <Button variant="danger" busy={busy} onClick={() => void leave()}>
              {t('settings.privacy.leave_submit')}
            </Button>
          </>
        }
      >
        <p className={styles.text}>{t('settings.privacy.leave_text')}</p>
        <RadioGroup
          label={t('settings.privacy.content')}
          value={content}
          onChange={(value) => setContent(value)}
          options={[
            { value: 'keep', label: t('settings.privacy.content_keep'), help: t('settings.privacy.content_keep_help') },
            { value: 'remove', label: t('settings.privacy.content_remove'), help: t('settings.privacy.content_remove_help') },
          ]}
        />
      </Dialog>
    </Section>
  )
}
