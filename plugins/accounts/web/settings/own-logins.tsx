import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Row, Section, Stack } from '@stoa/sdk/ui/page'
import { useApi, useConfirm, useSearchParams, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import type { accountSlots } from '../../shared/api.ts'
import { outsideCalls } from '../../shared/api.ts'
import { LoginIcon } from '../parts/login-icon.tsx'
import { refusalIn } from '../parts/outside-buttons.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './own-logins.module.css'

type Logins = ReplyOf<typeof outsideCalls.own>

/** Logins at other sites, where the site offers any. */
export default function OwnLogins({ page }: PropsOf<typeof accountSlots.settings>) {
  return page === 'account' ? <List /> : null
}

function List() {
  const api = useApi()
  const t = useAccountsText()
  const toast = useToast()
  const confirm = useConfirm()
  const [query] = useSearchParams()
  const [logins, setLogins] = useState<Logins>([])
  const [busy, setBusy] = useState('')
  const refused = refusalIn(query)
  const reload = useCallback(async () => setLogins(await api.send(outsideCalls.own)), [api])
  useEffect(() => void reload().catch(() => {}), [reload])
  if (logins.length === 0) return null

  async function bind(slug: string) {
    setBusy(slug)
    try {
      location.assign((await api.send(outsideCalls.bind, { body: { slug } })).url)
    } catch {
      // The call has said what is wrong.
      setBusy('')
    }
  }
  async function unbind({ slug, name, external_id }: Logins[number]) {
    const asked = { title: t('outside.unbind_title', { name }), text: t('outside.unbind_text'), confirm: t('outside.unbind') }
    if (!(await confirm({ ...asked, tone: 'danger' }))) return
    setBusy(slug)
    try {
      await api.send(outsideCalls.unbind, { body: { slug, external_id } })
      await reload()
      toast({ text: t('outside.unbound'), tone: 'success' })
    } catch {
      // The call has said what is wrong.
    } finally {
      setBusy('')
    }
  }

  return (
    <Section id="logins" title={t('outside.own')} text={t('outside.own_lead')}>
      <Stack>
        {refused && <Notice tone={refused === 'denied' ? 'info' : 'warning'}>{t(`outside.refused.${refused}`)}</Notice>}
        {!refused && query.has('bound') && <Notice tone="success">{t('outside.bound')}</Notice>}
        <ul className={styles.list}>
          {logins.map((login) => (
            <li key={login.slug}>
              <LoginIcon address={login.icon} />
              <span className={styles.words}>
                <strong dir="auto">{login.name}</strong>
                <span className={styles.muted}>{t(login.binding ? 'outside.is_bound' : 'outside.is_free')}</span>
              </span>
              <Row>
                {login.binding ? (
                  <Button busy={busy === login.slug} onClick={() => unbind(login)}>
                    {t('outside.unbind')}
                  </Button>
                ) : (
                  <Button busy={busy === login.slug} onClick={() => bind(login.slug)}>
                    {t('outside.bind')}
                  </Button>
                )}
              </Row>
            </li>
          ))}
        </ul>
      </Stack>
    </Section>
  )
}
