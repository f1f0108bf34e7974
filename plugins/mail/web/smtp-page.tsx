import type { BodyOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Select, Switch, TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle, Row, Section, Stack } from '@stoa/sdk/ui/page'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import { SavedPlace } from '@stoa/sdk/ui/settings-page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useConfirm, usePageLeave, useText, useToast } from '@stoa/sdk/web'
import type { SubmitEvent } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { mailCalls, mailErrors } from '../shared/api.ts'
import { otherEncryptionOf, usualPort } from '../shared/usual-ports.ts'
import styles from './smtp-page.module.css'
import { Undelivered } from './undelivered.tsx'

type Settings = ReplyOf<typeof mailCalls.smtp>
type Where = ReplyOf<typeof mailCalls.server>
type Errors = Partial<Record<string, string>>

/** What a connection is made by. */
const SERVER = ['smtp_host', 'smtp_port', 'encryption', 'smtp_authentication', 'smtp_username', 'smtp_password'] as const

const typedSince = (sent: Settings, now: Settings): Partial<Settings> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Settings]))

/** Sender and server of the site's mails, a test of both, and what did not arrive. */
export default function SmtpPage() {
  const api = useApi()
  const t = useText('mail')
  const toast = useToast()
  const confirm = useConfirm()
  const [saved, setSaved] = useState<Settings>()
  const [values, setValues] = useState<Settings>()
  const [where, setWhere] = useState<Where>()
  const [recipient, setRecipient] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const [sentTo, setSentTo] = useState('')
  /** What came of the last try to connect, where no field says it; empty: it worked. */
  const [connected, setConnected] = useState<string>()
  const [busy, setBusy] = useState<'save' | 'test' | 'connect'>()
  const [saves, setSaves] = useState(0)
  const changes = saved && values ? (Object.keys(saved) as (keyof Settings)[]).filter((name) => saved[name] !== values[name]).length : 0
  usePageLeave(changes > 0)

  /** @param sent what has just been saved: what was typed since stays */
  const load = useCallback(
    async (sent?: Settings) => {
      const [settings, server] = await Promise.all([api.send(mailCalls.smtp, {}), api.send(mailCalls.server, {})])
      // Nothing is chosen yet: what suits the port that stands there.
      const shown =
        settings.smtp_host === ''
          ? { ...settings, encryption: otherEncryptionOf(settings.smtp_port, settings.encryption) ?? settings.encryption }
          : settings
      setSaved(shown)
      setValues((now) => (now && sent ? { ...shown, ...typedSince(sent, now) } : shown))
      setWhere(server)
    },
    [api],
  )
  useEffect(() => void load().catch(() => {}), [load])

  if (!values || !saved || !where) return <Skeleton lines={10} />

  const suited = otherEncryptionOf(values.smtp_port, values.encryption)
  const isEmpty = !where.is_fixed && values.smtp_host === ''

  function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
    setValues((now) => now && { ...now, [name]: value })
    setErrors(({ [name]: _, ...others }) => others)
    setProblem('')
    setSentTo('')
    setConnected(undefined)
  }

  /** Marks the fields that were refused and leads to the first. @returns what none of them says */
  function refused(error: unknown, form: HTMLFormElement | null): string | undefined {
    const { fields = {}, msg, message } = error as ApiError
    setErrors(fields)
    const [first] = Object.keys(fields)
    if (first === undefined) return msg || message
    const field = form?.elements.namedItem(first)
    if (!(field instanceof HTMLElement)) return fields[first]
    field.focus()
    return undefined
  }

  async function connect(form: HTMLFormElement | null): Promise<void> {
    setBusy('connect')
    setErrors({})
    setConnected(undefined)
    try {
      await api.send(mailCalls.testSmtp, { body: values as Settings, passingError: true })
      setConnected('')
    } catch (error) {
      setConnected(refused(error, form))
    } finally {
      setBusy(undefined)
    }
  }

  /** What does not work replaces nothing, unless the owner insists. Anything else that is wrong is said when it is saved. */
  async function mayReplace(form: HTMLFormElement | null): Promise<boolean> {
    if (isEmpty || SERVER.every((name) => values?.[name] === saved?.[name])) return true
    try {
      await api.send(mailCalls.testSmtp, { body: values as Settings, passingError: true })
      return true
    } catch (error) {
      const { reason, fields = {} } = error as ApiError
      if (reason !== mailErrors.does_not_work.code) return true
      const text = t('smtp.insist_text', { problem: Object.values(fields).join(' ') })
      if (await confirm({ title: t('smtp.insist_title'), text, confirm: t('smtp.insist'), tone: 'danger' })) return true
      refused(error, form)
      return false
    }
  }

  async function send(form: HTMLFormElement | null, kind: 'save' | 'test'): Promise<void> {
    setBusy(kind)
    setErrors({})
    setProblem('')
    setSentTo('')
    setConnected(undefined)
    const body: BodyOf<typeof mailCalls.saveSmtp> = { ...(values as Settings), ...(kind === 'test' && { test_email_recipient: recipient }) }
    try {
      if (kind === 'save' && !(await mayReplace(form))) return
      await api.send(mailCalls.saveSmtp, { body, passingError: true })
      await load(values)
      setSaves((count) => count + 1)
      if (kind === 'test') setSentTo(recipient)
      else toast({ text: t('smtp.saved'), tone: 'success' })
    } catch (error) {
      setProblem(refused(error, form) ?? '')
    } finally {
      setBusy(undefined)
    }
  }

  const text = (name: 'from_email' | 'from_name' | 'smtp_host' | 'smtp_username' | 'smtp_password') => ({
    name,
    value: values[name],
    error: errors[name],
    maxLength: 256,
    autoComplete: 'off',
    onChange: (value: string) => set(name, value),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void send(event.currentTarget, event.nativeEvent.submitter?.getAttribute('value') === 'test' ? 'test' : 'save')
  }
  return (
    <>
      <PageTitle text={t('smtp.purpose')}>{t('smtp.title')}</PageTitle>
      <SavedPlace page="/admin/smtp" saves={saves} />
      {where.is_missing && <Notice>{t('smtp.missing')}</Notice>}
      {where.is_fixed && <Notice>{t('smtp.fixed')}</Notice>}
      <form method="post" className={styles.form} onSubmit={submit} noValidate>
        <Section title={t('smtp.sender')}>
          <Stack>
            <TextField {...text('from_name')} label={t('smtp.from_name')} help={t('smtp.from_name_help')} />
            <TextField {...text('from_email')} type="email" label={t('smtp.from_email')} help={t('smtp.from_email_help')} />
          </Stack>
        </Section>
        <Section title={t('smtp.server')}>
          {!where.is_fixed && (
            <Stack>
              <TextField {...text('smtp_host')} label={t('smtp.host')} help={t('smtp.host_help')} />
              <div className={styles.pair}>
                <Select
                  name="encryption"
                  label={t('smtp.encryption')}
                  value={values.encryption}
                  error={errors.encryption}
                  help={suited && t(`smtp.port_suits_${suited}`, { port: String(values.smtp_port) })}
                  options={[
                    { value: 'SSL', label: t('smtp.encryption_ssl') },
                    { value: 'TLS', label: t('smtp.encryption_tls') },
                    { value: '', label: t('smtp.encryption_none') },
                  ]}
                  onChange={(value) => {
                    const next = value as Settings['encryption']
                    if (Object.values(usualPort).some((port) => port === values.smtp_port)) set('smtp_port', usualPort[next])
                    set('encryption', next)
                  }}
                />
                <TextField
                  name="smtp_port"
                  label={t('smtp.port')}
                  inputMode="numeric"
                  value={String(values.smtp_port || '')}
                  error={errors.smtp_port}
                  onChange={(value) => set('smtp_port', Number(value.replaceAll(/\D/g, '').slice(0, 6)))}
                />
              </div>
              <Switch
                name="smtp_authentication"
                label={t('smtp.authentication')}
                checked={values.smtp_authentication}
                onChange={(on) => set('smtp_authentication', on)}
              />
              {values.smtp_authentication && (
                <div className={styles.pair}>
                  <TextField {...text('smtp_username')} label={t('smtp.username')} />
                  <TextField
                    {...text('smtp_password')}
                    type="password"
                    autoComplete="new-password"
                    label={t('smtp.password')}
                    help={saved.smtp_password === '' ? undefined : t('smtp.password_help')}
                  />
                </div>
              )}
            </Stack>
          )}
          <div className={styles.connect}>
            <Button
              icon="plug"
              busy={busy === 'connect'}
              disabled={isEmpty || (busy !== undefined && busy !== 'connect')}
              onClick={(event) => void connect(event.currentTarget.form)}
            >
              {t('smtp.connect')}
            </Button>
            {connected !== undefined && (
              <Notice tone={connected === '' ? 'success' : 'danger'} live>
                {connected || t('smtp.connects')}
              </Notice>
            )}
          </div>
        </Section>
        <Section title={t('smtp.test')} text={t('smtp.test_text')}>
          <Stack gap={3}>
            <TextField
              name="test_email_recipient"
              type="email"
              label={t('smtp.recipient')}
              value={recipient}
              error={errors.test_email_recipient}
              onChange={(value) => {
                setRecipient(value)
                setErrors(({ test_email_recipient: _, ...others }) => others)
              }}
            />
            <Row>
              <Button
                type="submit"
                value="test"
                icon="send"
                busy={busy === 'test'}
                disabled={recipient === '' || isEmpty || busy !== undefined}
              >
                {t('smtp.send_test')}
              </Button>
            </Row>
            {sentTo && (
              <Notice tone="success" live>
                {t('smtp.test_sent', { email: sentTo })}
              </Notice>
            )}
          </Stack>
        </Section>
        <SaveBar
          changes={changes}
          busy={busy === 'save'}
          error={problem}
          onDiscard={() => {
            setValues(saved)
            setErrors({})
            setProblem('')
          }}
        />
      </form>
      <Undelivered />
    </>
  )
}
