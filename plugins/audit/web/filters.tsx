import { Button } from '@stoa/sdk/ui/button'
import { Select, TextField } from '@stoa/sdk/ui/field'
import { Row } from '@stoa/sdk/ui/page'
import { Link, useNavigate, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import styles from './filters.module.css'

export interface Filters {
  actor: string
  action: string
  query: string
  object_kind: string
  object_id: string
  /** Days, such as `2026-11-23`; empty for any. */
  since: string
  until: string
}

export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Address of the log with some filters. */
export function addressOf(filters: Partial<Filters>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  return `/admin/audit${query.size > 0 ? `?${query}` : ''}`
}

/** By whom, what, about what, and when. */
export function FilterForm({ filters, actions }: { filters: Filters; actions: readonly { name: string; label: string }[] }) {
  const t = useText('audit')
  const navigate = useNavigate()
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = (name: string) => String(form.get(name) ?? '').trim()
    const { object_kind, object_id } = filters
    const asked = { actor: given('actor'), action: given('action'), query: given('query'), since: given('since'), until: given('until') }
    void navigate(addressOf({ ...asked, object_kind, object_id }))
  }
  const isKnown = filters.action === '' || actions.some(({ name }) => name === filters.action)
  return (
    <search aria-label={t('filter.label')}>
      <form method="get" action="/admin/audit" className={styles.form} onSubmit={submit}>
        <Select
          className={styles.wide as string}
          label={t('filter.action')}
          name="action"
          defaultValue={filters.action}
          options={[
            { value: '', label: t('filter.any_action') },
            ...actions.map(({ name, label }) => ({ value: name, label })),
            ...(isKnown ? [] : [{ value: filters.action, label: filters.action }]),
          ]}
        />
        <TextField
          label={t('filter.person')}
          name="actor"
          placeholder={t('filter.person_help')}
          defaultValue={filters.actor}
          maxLength={100}
          autoComplete="off"
        />
        <TextField
          type="search"
          label={t('filter.text')}
          name="query"
          placeholder={t('filter.text_help')}
          defaultValue={filters.query}
          maxLength={100}
          autoComplete="off"
        />
        <TextField type="date" label={t('filter.since')} name="since" defaultValue={filters.since} />
        <TextField type="date" label={t('filter.until')} name="until" defaultValue={filters.until} />
        <Row className={styles.actions as string}>
          <Button type="submit" icon="filter">
            {t('filter.apply')}
          </Button>
          {isFiltered && <Link to="/admin/audit">{t('filter.clear')}</Link>}
        </Row>
      </form>
    </search>
  )
}
