import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Button, IconButton } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Row, Section, Stack } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Time } from '@stoa/sdk/ui/time'
import { useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { passkeyCalls } from '../shared/api.ts'
import { register } from './ask-browser.ts'
import styles from './passkeys.module.css'
import { usePress } from './use-press.ts'

type Passkey = ReplyOf<typeof passkeyCalls.list>['list'][number]

/** Adding, naming and removing passkeys. */
export default function SettingsSection({ page }: PropsOf<typeof accountSlots.settings>) {
  return page === 'account' ? <Passkeys /> : null
}

function Passkeys() {
  const api = useApi()
  const t = useText('passkeys')
  const toast = useToast()
  const confirm = useConfirm()
  const { busy, failure, press } = usePress()
  const [passkeys, setPasskeys] = useState<ReplyOf<typeof passkeyCalls.list>>()
  /** Of which a name is typed; 0: of a new one. */
  const [naming, setNaming] = useState<number>()
  const reload = useCallback(async () => setPasskeys(await api.send(passkeyCalls.list)), [api])
  useEffect(() => void reload(), [reload])

  const add = (name: string) =>
    press(async () => {
      const { options } = await api.send(passkeyCalls.begin, { passingError: true })
      await api.send(passkeyCalls.add, { body: { name, response: await register(options) }, passingError: true })
      setNaming(undefined)
      await reload()
      toast({ text: t('added'), tone: 'success' })
    })
  const rename = (id: number, name: string) =>
    press(async () => {
      await api.send(passkeyCalls.rename, { body: { id, name }, passingError: true })
      setNaming(undefined)
      await reload()
    })
  const remove = ({ id, name }: Passkey) =>
    press(async () => {
      const title = t('remove_confirm', { name })
      if (!(await confirm({ title, text: t('remove_text'), confirm: t('remove_do'), tone: 'danger' }))) return
      await api.send(passkeyCalls.remove, { body: { id }, passingError: true })
      await reload()
      toast({ text: t('removed'), tone: 'success' })
    })

  return (
    <Section id="passkeys" title={t('title')} text={t('text')}>
      <Stack>
        {passkeys === undefined && <Skeleton lines={2} />}
        {passkeys?.address === '' && <Notice tone="warning">{t('no_address')}</Notice>}
        {passkeys && passkeys.address !== '' && passkeys.address !== location.origin && (
          <Notice tone="warning">{t('wrong_address', { address: passkeys.address })}</Notice>
        )}
        {passkeys && passkeys.list.length === 0 && naming === undefined && <p className={styles.muted}>{t('none')}</p>}
        {passkeys && passkeys.list.length > 0 && (
          <ul className={styles.list}>
            {passkeys.list.map((passkey) => (
              <li key={passkey.id}>
                {naming === passkey.id ? (
                  <Naming
                    initial={passkey.name}
                    submit={t('save')}
                    busy={busy}
                    done={(name) => rename(passkey.id, name)}
                    cancel={() => setNaming(undefined)}
                  />
                ) : (
                  <div className={styles.row}>
                    <div className={styles.words}>
                      <strong dir="auto">{passkey.name}</strong>
                      <span className={styles.muted}>
                        <Time at={passkey.created_at} phrase={(time) => t('created', { time })} /> ·{' '}
                        {passkey.last_used_at > 0 ? <Time at={passkey.last_used_at} phrase={(time) => t('used', { time })} /> : t('unused')}
                      </span>
                    </div>
                    <IconButton icon="pencil" label={t('rename', { name: passkey.name })} onClick={() => setNaming(passkey.id)} />
                    <IconButton icon="trash" label={t('remove', { name: passkey.name })} onClick={() => remove(passkey)} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
        {naming === 0 && (
          <Naming initial={t('default_name')} submit={t('continue')} busy={busy} done={add} cancel={() => setNaming(undefined)} />
        )}
        {passkeys && passkeys.address !== '' && naming === undefined && (
          <Row>
            <Button icon="plus" onClick={() => setNaming(0)}>
              {t('add')}
            </Button>
          </Row>
        )}
        {failure && (
          <Notice tone="danger" live>
            {failure}
          </Notice>
        )}
      </Stack>
    </Section>
  )
}

interface NamingProps {
  initial: string
  submit: string
  busy: boolean
  done(name: string): void
  cancel(): void
}

function Naming({ initial, submit, busy, done, cancel }: NamingProps) {
  const t = useText('passkeys')
  const [name, setName] = useState(initial)
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') done(name.trim())
      }}
    >
      <Stack>
        <TextField label={t('name')} help={t('name_help')} value={name} maxLength={40} required autoFocus onChange={setName} />
        <Row>
          <Button type="submit" variant="primary" busy={busy}>
            {submit}
          </Button>
          <Button variant="quiet" onClick={cancel}>
            {t('cancel')}
          </Button>
        </Row>
      </Stack>
    </form>
  )
}
