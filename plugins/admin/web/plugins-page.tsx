import { EmptyState } from '@stoa/sdk/ui/empty'
import { Select, TextField } from '@stoa/sdk/ui/field'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { useText } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'
import { useKindName } from './kinds.ts'
import { PackageUpload } from './package-upload.tsx'
import { PluginItem } from './plugin-item.tsx'
import { PluginSet } from './plugin-set.tsx'
import styles from './plugins.module.css'
import { SwitchDialog } from './switch-dialog.tsx'
import type { PluginRow } from './types.ts'
import { INSTALL } from './types.ts'
import { usePlugins } from './use-plugins.ts'

const shows = ['all', 'on', 'off', 'failed'] as const
type Show = (typeof shows)[number]

const matches = (row: PluginRow, words: string, show: Show, kind: string) =>
  (kind === '' || row.type === kind) &&
  (show === 'all' || (show === 'failed' ? row.reason !== '' : show === 'on' ? row.enabled : row.state === show)) &&
  `${row.name} ${row.slug_name} ${row.description}`.toLowerCase().includes(words.trim().toLowerCase())

/** Every plugin with its switch, state and reason, and what depends on what. */
export default function PluginsPage() {
  const t = useText('admin')
  const kindName = useKindName()
  const { rows, busy, refusals, arrived, actions, nameOf, question, reload } = usePlugins()
  const [words, setWords] = useState('')
  const [show, setShow] = useState<Show>('all')
  const [kind, setKind] = useState('')
  const shown = rows?.filter((row) => matches(row, words, show, kind))
  const kinds = [...new Set(rows?.map((row) => row.type).filter(Boolean))].map((value) => ({ value, label: kindName(value) }))
  const list = useRef<HTMLUListElement>(null)
  const last = useRef<string>(undefined)

  // What was installed stands somewhere in the list: one is taken to its switch.
  useEffect(() => {
    const item = list.current?.querySelector(`[data-plugin="${arrived}"]`)
    item?.querySelector('input')?.focus({ preventScroll: true })
    item?.scrollIntoView({ block: 'center' })
  }, [arrived])
  // What was removed takes the focus along.
  useEffect(() => {
    if (document.activeElement === document.body && last.current && !rows?.some((row) => row.slug_name === last.current)) {
      last.current = undefined
      list.current?.focus()
    }
  }, [rows])

  function install(file: File): void {
    setWords('')
    setShow('all')
    setKind('')
    void actions.install(file)
  }

  return (
    <>
      <PageTitle text={t('plugins.purpose')}>{t('plugins.title')}</PageTitle>
      <PackageUpload busy={busy === INSTALL} refusal={refusals.get(INSTALL)} onFile={install} />
      <PluginSet onApplied={() => void reload()} />
      <div className={styles.filters}>
        <TextField
          label={t('plugins.filter')}
          type="search"
          value={words}
          onChange={setWords}
          placeholder={t('plugins.filter_placeholder')}
        />
        <Select
          label={t('plugins.kind_filter')}
          value={kind}
          onChange={setKind}
          options={[{ value: '', label: t('plugins.every_kind') }, ...kinds.sort((a, b) => a.label.localeCompare(b.label))]}
        />
        <Select
          label={t('plugins.state_filter')}
          value={show}
          onChange={(value) => setShow(value as Show)}
          options={shows.map((value) => ({ value, label: t(`plugins.show.${value}`) }))}
        />
      </div>
      {shown && rows && <p className={styles.count}>{t('plugins.shown', { count: shown.length, total: rows.length })}</p>}
      {!shown && <Skeleton lines={12} />}
      {shown?.length === 0 && <EmptyState icon="plug" title={t('plugins.none')} />}
      {shown && (
        <ul
          ref={list}
          className={styles.list}
          tabIndex={-1}
          aria-label={t('plugins.title')}
          onFocus={({ target }) => {
            last.current = target.closest<HTMLElement>('[data-plugin]')?.dataset.plugin
          }}
        >
          {shown.map((row) => (
            <PluginItem
              key={row.slug_name}
              row={row}
              busy={busy === row.slug_name}
              refusal={refusals.get(row.slug_name)}
              arrived={arrived === row.slug_name}
              actions={actions}
              nameOf={nameOf}
            />
          ))}
        </ul>
      )}
      <SwitchDialog question={question} />
    </>
  )
}
