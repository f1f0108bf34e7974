import type { Extensions, PropsOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Select } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { formatDateTime, useApi, useLanguage, useText, useTimeZone, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import type { historySlots } from '../shared/api.ts'
import { historyCalls } from '../shared/api.ts'
import { DifferenceView } from './difference-view.tsx'
import styles from './history.module.css'
import { FieldChanges } from './texts.tsx'

type Revision = ReplyOf<typeof historyCalls.revisions>[number]
interface Content {
  title?: string
  content?: string
  display_name?: string
  original_text?: string
  tags?: { slug_name: string; display_name: string }[]
  extensions?: Extensions
}

/** The older versions of what is edited: loaded when they are asked for, compared with what is in the form, and put there on a press. */
export default function Versions({ id, content, onChoose }: PropsOf<typeof historySlots.versions>) {
  const t = useText('history')
  const calls = useApi()
  const toast = useToast()
  const language = useLanguage()
  const zone = useTimeZone()
  const [state, setState] = useState<'closed' | 'busy' | 'failed' | Revision[]>('closed')
  const [chosen, setChosen] = useState('')
  const open = async () => {
    setState('busy')
    try {
      setState(await calls.send(historyCalls.revisions, { query: { object_id: id }, passingError: true, ignoreServerError: true }))
    } catch {
      setState('failed')
    }
  }
  if (!Array.isArray(state))
    return (
      <div className={styles.versions}>
        <Button icon="history" size="small" busy={state === 'busy'} onClick={() => void open()}>
          {t('versions.open')}
        </Button>
        {state === 'failed' && (
          <Notice tone="danger" live>
            {t('versions.failed')}
          </Notice>
        )}
      </div>
    )
  if (state.length === 0) return <p className={styles.muted}>{t('versions.none')}</p>
  const named = ({ create_at, user_info, reason }: Revision) =>
    t(reason ? 'versions.item_reason' : 'versions.item', {
      time: formatDateTime(create_at, language, zone, 'datetime'),
      name: user_info.display_name,
      reason,
    })
  const [newest] = state
  const revision = state.find(({ id }) => id === chosen)
  const old = revision?.content as Content | undefined
  const text = old?.content ?? old?.original_text ?? ''
  const use = () => {
    onChoose({ title: old?.title ?? old?.display_name ?? '', content: text, tags: old?.tags ?? [], extensions: old?.extensions })
    toast({ text: t('versions.used'), tone: 'info' })
  }
  return (
    <div className={styles.versions}>
      <Select
        label={t('versions.label')}
        placeholder={t('versions.choose')}
        value={chosen}
        onChange={setChosen}
        options={state.map((revision) => ({ value: revision.id, label: named(revision) }))}
      />
      {newest && revision && (
        <>
          <FieldChanges before={newest.fields} after={revision.fields} />
          <DifferenceView before={content} after={text} />
          <Button onClick={use}>{t('versions.use')}</Button>
        </>
      )}
    </div>
  )
}
