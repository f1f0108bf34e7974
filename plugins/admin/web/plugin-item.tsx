import type { BadgeProps } from '@stoa/sdk/ui/badge'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { Switch } from '@stoa/sdk/ui/field'
import { Icon } from '@stoa/sdk/ui/icon'
import { Notice } from '@stoa/sdk/ui/notice'
import { Link, Slot, useText } from '@stoa/sdk/web'
import { lazy, Suspense, useId, useState } from 'react'
import { adminSlots } from '../shared/api.ts'
import styles from './plugin-item.module.css'
import type { PluginActions, PluginRow } from './types.ts'

const PluginDetails = lazy(() => import('./plugin-details.tsx'))

const tones: Record<string, BadgeProps['tone']> = {
  on: 'success',
  failed: 'danger',
  failing: 'danger',
  quarantined: 'danger',
  waiting: 'warning',
  off: 'neutral',
}

export interface PluginItemProps {
  row: PluginRow
  busy: boolean
  refusal: string | undefined
  /** It was just installed here. */
  arrived: boolean
  actions: PluginActions
  nameOf: (slug: string) => string
}

/** One plugin: what it is, whether it runs, and why not. */
export function PluginItem({ row, busy, refusal, arrived, actions, nameOf }: PluginItemProps) {
  const t = useText('admin')
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const reason = refusal ?? row.reason
  const broken = row.version === ''
  return (
    <li className={styles.item} data-plugin={row.slug_name} data-arrived={arrived || undefined}>
      <div className={styles.switch}>
        <Switch
          label={t('plugins.switch', { name: row.name })}
          hideLabel
          checked={row.enabled}
          disabled={broken || (row.essential && row.enabled)}
          aria-busy={busy}
          onChange={(on) => actions.toggle(row, on)}
        />
      </div>
      <div className={styles.body}>
        <div className={styles.line}>
          <h2 className={styles.name}>{row.name}</h2>
          <Badge tone={tones[row.state] ?? 'warning'}>{t(`plugins.state.${row.state}`)}</Badge>
          {row.essential && <Badge>{t('plugins.essential')}</Badge>}
          {row.origin === 'installed' && !broken && <Badge tone="accent">{t('plugins.origin.installed')}</Badge>}
          <Slot of={adminSlots.pluginFacts} props={{ plugin: row }} around={(facts) => <span className={styles.facts}>{facts}</span>} />
        </div>
        {row.description && <p className={styles.description}>{row.description}</p>}
      </div>
      <div className={styles.more}>
        {row.have_config && (
          <Link to={settingsPath(row)} className={styles.settings}>
            {t('plugins.settings')}
          </Link>
        )}
        {!broken && (
          <button type="button" className={styles.open} aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
            {t('plugins.details')}
            <span className="visually-hidden"> {row.name}</span>
            <Icon name="chevron-down" size={16} />
          </button>
        )}
      </div>
      {reason && (
        <div className={styles.below}>
          <Notice
            tone={row.enabled && !refusal ? 'warning' : 'danger'}
            live={refusal !== undefined}
            title={t(row.enabled && !refusal ? 'plugins.notice' : 'plugins.reason')}
            action={
              !broken &&
              !row.enabled && (
                <Button size="small" busy={busy} onClick={() => actions.toggle(row, true)}>
                  {t('plugins.try_again')}
                </Button>
              )
            }
          >
            {reason}
          </Notice>
        </div>
      )}
      {!broken && <Versions row={row} actions={actions} />}
      {!broken && (
        <Slot of={adminSlots.pluginActions} props={{ plugin: row }} around={(buttons) => <p className={styles.below}>{buttons}</p>} />
      )}
      <div id={panel} className={styles.panel} hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <PluginDetails row={row} nameOf={nameOf} />
          </Suspense>
        )}
      </div>
    </li>
  )
}

/** What can be done about the version, beside switching. */
function Versions({ row, actions }: { row: PluginRow; actions: PluginActions }) {
  const t = useText('admin')
  const isInstalled = row.origin === 'installed'
  if (!isInstalled && row.rollback_to === '') return null
  return (
    <p className={styles.below}>
      {row.rollback_to !== '' && (
        <Button size="small" onClick={() => actions.rollBack(row)}>
          {t('plugins.roll_back', { version: row.rollback_to })}
        </Button>
      )}
      {isInstalled && (
        <Button size="small" onClick={() => actions.remove(row)}>
          {t('plugins.remove')}
        </Button>
      )}
      {isInstalled && !row.enabled && (
        <Button size="small" onClick={() => actions.eraseData(row)}>
          {t('plugins.erase')}
        </Button>
      )}
    </p>
  )
}

/** A page of the plugin's own may stand where its settings form would. */
function settingsPath({ slug_name, adds }: PluginRow): string {
  const path = `/admin/${slug_name}`
  return adds.pages.includes(path) ? `${path}/settings` : path
}
