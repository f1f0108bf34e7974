import { pluginCalls } from '@stoa/sdk/administration'
import { Badge } from '@stoa/sdk/ui/badge'
import { Time } from '@stoa/sdk/ui/time'
import { Link, useApi, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useKindName } from './kinds.ts'
import styles from './plugin-item.module.css'
import { SwitchLine } from './switch-line.tsx'
import type { PluginRow, SwitchDeed } from './types.ts'

/** Everything that is to know about a plugin: what it costs and adds here, what it needs, and who switched it. */
export default function PluginDetails({ row, nameOf }: { row: PluginRow; nameOf: (slug: string) => string }) {
  const t = useText('admin')
  const kindName = useKindName()
  return (
    <div className={styles.sections}>
      <Section title={t('plugins.about')}>
        <ul>
          <li>{t('plugins.kind', { type: kindName(row.type) })}</li>
          <li>
            {t('plugins.version', { version: row.version })} · {t(`plugins.origin.${row.origin}`)}
          </li>
          {row.author && <li>{t('plugins.author', { author: row.author })}</li>}
          {row.essential && <li>{t('plugins.essential_help')}</li>}
          {row.without.map((entry) => (
            <li key={entry.contract}>{t('plugins.without', entry)}</li>
          ))}
        </ul>
      </Section>
      <Cost row={row} />
      <Section title={t('plugins.needs')}>
        <Names slugs={row.needs} nameOf={nameOf} />
      </Section>
      <Section title={t('plugins.needed_by')}>
        <Names slugs={row.needed_by} nameOf={nameOf} />
      </Section>
      <Adds row={row} />
      <History row={row} />
    </div>
  )
}

function Section({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? styles.wide : undefined}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Names({ slugs, nameOf }: { slugs: readonly string[]; nameOf: (slug: string) => string }) {
  const t = useText('admin')
  return <p>{slugs.length === 0 ? t('plugins.nothing') : slugs.map(nameOf).join(t('list_separator'))}</p>
}

/** Measured on this site since its server started. */
function Cost({ row: { web_bytes, web_files, load, faults } }: { row: PluginRow }) {
  const t = useText('admin')
  const { last, lastReport } = faults
  return (
    <Section title={t('plugins.cost')}>
      <ul>
        <li>{web_bytes > 0 ? t('plugins.weight', { size: Math.ceil(web_bytes / 1024), count: web_files }) : t('plugins.weightless')}</li>
        <li>{t('plugins.requests', { count: load.requests })}</li>
        {load.requests > 0 && (
          <li>
            {t('plugins.time', { mean: Math.round(load.ms / load.requests), total: (load.ms / 1000).toFixed(1), slowest: load.slowest })}
          </li>
        )}
        {load.failed > 0 && <li>{t('plugins.failed_requests', { count: load.failed })}</li>}
        {faults.count > 0 && <li>{t('plugins.faults', { count: faults.count })}</li>}
        {faults.slow > 0 && <li>{t('plugins.slow', { count: faults.slow })}</li>}
        {faults.reported > 0 && <li>{t('plugins.reported', { count: faults.reported })}</li>}
      </ul>
      {(last || lastReport) && (
        <details className={styles.inner}>
          <summary>{t('plugins.last_fault')}</summary>
          {last && (
            <p>
              <Time at={last.at} />{' '}
              <code>
                {last.kind} {last.where}: {last.message}
              </code>
            </p>
          )}
          {lastReport && (
            <p>
              {t('plugins.last_report')}: <code>{lastReport}</code>
            </p>
          )}
        </details>
      )}
    </Section>
  )
}

function Adds({ row: { adds } }: { row: PluginRow }) {
  const t = useText('admin')
  const parts = [
    ['slots', adds.slots],
    ['calls', adds.calls],
    ['contracts', adds.contracts],
    ['hooks', adds.hooks],
  ] as const
  return (
    <Section title={t('plugins.adds')} wide>
      {adds.pages.length > 0 && (
        <ul className={styles.names}>
          {adds.pages.map((path) => (
            <li key={path}>{path.includes(':') ? <code>{path}</code> : <Link to={path}>{path}</Link>}</li>
          ))}
        </ul>
      )}
      {parts.map(
        ([key, names]) =>
          names.length > 0 && (
            <details key={key} className={styles.inner}>
              <summary>
                {t(`plugins.${key}`)} <Badge>{names.length}</Badge>
              </summary>
              <ul className={styles.names}>
                {names.map((name, index) => (
                  <li key={index}>
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            </details>
          ),
      )}
      {adds.pages.length + parts.flatMap(([, names]) => names).length === 0 && <p>{t('plugins.nothing')}</p>}
    </Section>
  )
}

function History({ row }: { row: PluginRow }) {
  const t = useText('admin')
  const api = useApi()
  const [deeds, setDeeds] = useState<SwitchDeed[]>()
  // A switch is a line more.
  const { slug_name, epoch } = row
  useEffect(() => {
    let isCurrent = true
    void epoch
    api
      .send(pluginCalls.history, { query: { plugin_slug_name: slug_name, page_size: 8 } })
      .then(({ list }) => isCurrent && setDeeds(list))
      .catch(() => isCurrent && setDeeds([]))
    return () => {
      isCurrent = false
    }
  }, [api, slug_name, epoch])
  return (
    <Section title={t('plugins.history')} wide>
      {deeds?.length === 0 && <p>{t('plugins.never_switched')}</p>}
      {deeds && (
        <ul>
          {deeds.map((deed, index) => (
            <li key={index}>
              <SwitchLine deed={deed} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
