import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Select } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Section } from '@stoa/sdk/ui/page'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useApi, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountSlots } from '../../accounts/shared/api.ts'
import type { Frequency } from '../shared/api.ts'
import { frequencies, noticeCalls } from '../shared/api.ts'
import styles from './settings-page.module.css'

type Config = ReplyOf<typeof noticeCalls.config>

export const load = ({ get }: PageRequest): Promise<Config> => get(noticeCalls.config)

/** Among the settings: what reaches somebody outside of the site, and how soon. */
export default function NotifySettingsPage(page: PageProps<Config>) {
  return <Slot of={accountSlots.settingsFrame} props={{ children: <Choices {...page} /> }} />
}

const groupsOf = (kinds: Config['kinds']) => [...Map.groupBy(kinds, ({ group }) => group)]
const keyOf = (name: string, channel: string) => `${name} ${channel}`

function Choices({ data: { channels, kinds }, reload }: PageProps<Config>) {
  const t = useText('notifications')
  const calls = useApi()
  const toast = useToast()
  const [changed, setChanged] = useState<ReadonlyMap<string, { name: string; channel: string; frequency: Frequency }>>(new Map())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [retrying, setRetrying] = useState('')
  if (channels.length === 0 || kinds.length === 0)
    return <EmptyState icon="bell" title={t('settings.no_channels')} text={t('settings.no_channels_text')} />

  const set = (name: string, channel: string, stored: string, chosen: string) => {
    const frequency = frequencies.find((one) => one === chosen)
    if (!frequency) return
    setChanged((before) => {
      const after = new Map(before)
      if (frequency === stored) after.delete(keyOf(name, channel))
      else after.set(keyOf(name, channel), { name, channel, frequency })
      return after
    })
  }
  async function retry(channel: string): Promise<void> {
    setRetrying(channel)
    try {
      await calls.send(noticeCalls.retryChannel, { body: { channel } })
      await reload()
      toast({ text: t('settings.retried'), tone: 'success' })
    } catch {
      // Said by the call.
    } finally {
      setRetrying('')
    }
  }
  async function save(): Promise<void> {
    setBusy(true)
    setFailure('')
    try {
      await calls.send(noticeCalls.saveConfig, { body: { kinds: [...changed.values()] }, passingError: true })
      await reload()
      setChanged(new Map())
      toast({ text: t('settings.saved'), tone: 'success' })
    } catch (error) {
      const { msg, message } = error as ApiError
      setFailure(msg || message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={styles.form}>
      <p>{t('settings.intro')}</p>
      {channels.map(
        ({ key, trouble }) =>
          trouble !== undefined && (
            <Notice
              key={key}
              tone="warning"
              action={
                <Button size="small" busy={retrying === key} onClick={() => void retry(key)}>
                  {t('settings.retry')}
                </Button>
              }
            >
              <p dir="auto">{trouble}</p>
            </Notice>
          ),
      )}
      {groupsOf(kinds).map(([group, members]) => (
        <Section key={group} title={t(`settings.group_${group}`)}>
          <ul className={styles.kinds}>
            {members.map(({ name, label, channels: own }) => (
              <li key={name} className={styles.kind}>
                <span>{label}</span>
                <div className={styles.choices}>
                  {own.map(({ key, frequency }) => {
                    const channel = channels.find((one) => one.key === key)?.label ?? key
                    return (
                      <Select
                        key={key}
                        className={styles.choice as string}
                        label={t('settings.choice', { kind: label, channel })}
                        hideLabel
                        value={changed.get(keyOf(name, key))?.frequency ?? frequency}
                        options={frequencies.map((value) => ({
                          value,
                          label: channels.length > 1 ? `${channel}: ${t(`frequency.${value}`)}` : t(`frequency.${value}`),
                        }))}
                        onChange={(value) => set(name, key, frequency, value)}
                      />
                    )
                  })}
                </div>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      <SaveBar changes={changed.size} busy={busy} error={failure} onDiscard={() => setChanged(new Map())} onSave={() => void save()} />
    </div>
  )
}
