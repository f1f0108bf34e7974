import type { BadgeProps } from '@stoa/sdk/ui/badge'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { Switch } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Time } from '@stoa/sdk/ui/time'
import { Link, Slot, useText } from '@stoa/sdk/web'
import { adminSlots } from '../shared/api.ts'
import styles from './plugins.module.css'
import type { PluginActions, PluginRow } from './types.ts'

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
        </div>
        {row.description && <p className={styles.description}>{row.description}</p>}
        {!broken && (
          <p className={styles.facts}>
            <code>{row.slug_name}</code>
            <span>{t('plugins.kind', { type: row.type })}</span>
            <span>{t('plugins.version', { version: row.version })}</span>
            <span>{t(`plugins.origin.${row.origin}`)}</span>
            {row.web_bytes > 0 && <span>{t('plugins.weight', { size: Math.ceil(row.web_bytes / 1024) })}</span>}
            {row.enabled && <span>{t('plugins.requests', { count: row.requests })}</span>}
            <FaultCounts faults={row.faults} />
            {row.have_config && (
              <span>
                <Link to={settingsPath(row)}>{t('plugins.settings')}</Link>
              </span>
            )}
            <Slot of={adminSlots.pluginFacts} props={{ plugin: row }} />
          </p>
        )}
        {reason && (
          <div className={styles.reason}>
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
        {row.without.map((entry) => (
          <p key={entry.contract} className={styles.facts}>
            {t('plugins.without', entry)}
          </p>
        ))}
        {!broken && <Versions row={row} actions={actions} />}
        {!broken && (
          <Slot of={adminSlots.pluginActions} props={{ plugin: row }} around={(buttons) => <p className={styles.actions}>{buttons}</p>} />
        )}
        {!broken && <Details row={row} nameOf={nameOf} />}
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
    <p className={styles.actions}>
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

function FaultCounts({ faults }: { faults: PluginRow['faults'] }) {
  const t = useText('admin')
  return (
    <>
      {faults.count > 0 && <span>{t('plugins.faults', { count: faults.count })}</span>}
      {faults.slow > 0 && <span>{t('plugins.slow', { count: faults.slow })}</span>}
      {faults.reported > 0 && <span>{t('plugins.reported', { count: faults.reported })}</span>}
    </>
  )
}

function LastFaults({ faults: { last, lastReport } }: { faults: PluginRow['faults'] }) {
  const t = useText('admin')
  return (
    <>
      {last && (
        <div>
          <dt>{t('plugins.last_fault')}</dt>
          <dd>
            <Time at={last.at} />{' '}
            <code>
              {last.kind} {last.where}: {last.message}
            </code>
          </dd>
        </div>
      )}
      {lastReport && (
        <div>
          <dt>{t('plugins.last_report')}</dt>
          <dd>
            <code>{lastReport}</code>
          </dd>
        </div>
      )}
    </>
  )
}

function Details({ row, nameOf }: { row: PluginRow; nameOf: (slug: string) => string }) {
  const t = useText('admin')
  const facts = [
    ['needs', row.needs.map(nameOf)],
    ['needed_by', row.needed_by.map(nameOf)],
    ['pages', asCode(row.adds.pages)],
    ['slots', asCode(row.adds.slots)],
    ['services', asCode(row.adds.services)],
    ['hooks', asCode(row.adds.hooks)],
  ] as const
  return (
    <details className={styles.details}>
      <summary>{t('plugins.details')}</summary>
      <dl className={styles.more}>
        {facts.map(([key, values]) => (
          <div key={key}>
            <dt>{t(`plugins.${key}`)}</dt>
            <dd>
              {values.length === 0 && t('plugins.nothing')}
              {values.map((value, index) => (
                <span key={index}>{value}</span>
              ))}
            </dd>
          </div>
        ))}
        <LastFaults faults={row.faults} />
      </dl>
      {row.essential && <p>{t('plugins.essential_help')}</p>}
    </details>
  )
}

const asCode = (names: string[]) => names.map((name) => <code key={name}>{name}</code>)

/** A page of the plugin's own may stand where its settings form would. */
function settingsPath({ slug_name, adds }: PluginRow): string {
  const path = `/admin/${slug_name}`
  return adds.pages.includes(path) ? `${path}/settings` : path
}
