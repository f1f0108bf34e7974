import type { ApiError } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './choice-rows.module.css'
import { Checkbox } from './field.tsx'
import type { IconName } from './icon.tsx'
import { Menu } from './menu.tsx'
import { Notice } from './notice.tsx'

/** Something that can be done with the chosen rows. */
export interface RowAct {
  label: string
  icon: IconName
  tone?: 'danger'
  onSelect(): void
}

interface ChoiceRowsProps<Row> {
  /** Name of the list. */
  label: string
  rows: readonly Row[]
  keyOf(row: Row): string
  /** What a row is called, for screen readers. */
  nameOf(row: Row): string
  /** What can be done with these rows: with one of them in its own menu, with all that are chosen above the list. */
  acts(rows: readonly Row[]): readonly RowAct[]
  /** What is being done, of {@link useRowWork}. */
  work: RowWork<Row>
  children(row: Row): ReactNode
}

/** A list of which one row or several at once can be acted on. */
export function ChoiceRows<Row>({ label, rows, keyOf, nameOf, acts, work, children }: ChoiceRowsProps<Row>) {
  const t = useText('core')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const chosen = rows.filter((row) => keys.has(keyOf(row)))
  const choose = (row: Row, on: boolean) => setKeys(new Set(rows.map(keyOf).filter((key) => (key === keyOf(row) ? on : keys.has(key)))))
  return (
    <>
      {work.refused.length > 0 && (
        <Notice tone="warning">
          <p>{t('kit.rows.refused', { count: work.refused.length })}</p>
          <ul>
            {work.refused.map(({ row, message }) => (
              <li key={keyOf(row)}>
                <bdi>{nameOf(row)}</bdi>: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={styles.bar}>
        <Checkbox
          label={chosen.length > 0 ? t('kit.rows.chosen', { count: chosen.length }) : t('kit.rows.all')}
          checked={chosen.length > 0 && chosen.length === rows.length}
          onChange={(on) => setKeys(new Set(on ? rows.map(keyOf) : []))}
        />
        <div className={styles.acts} role="status">
          {work.progress && t('kit.rows.progress', work.progress)}
        </div>
        {chosen.length > 0 && !work.progress && (
          <div className={styles.acts}>
            {acts(chosen).map((act) => (
              <Button
                key={act.label}
                size="small"
                variant="quiet"
                icon={act.icon}
                className={act.tone && styles.danger}
                onClick={act.onSelect}
              >
                {act.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <ul className={styles.rows} aria-label={label} aria-busy={work.progress !== undefined}>
        {rows.map((row) => {
          const items = acts([row])
          return (
            <li key={keyOf(row)} className={styles.row} data-chosen={keys.has(keyOf(row)) || undefined}>
              <Checkbox
                hideLabel
                className={styles.choice}
                label={t('kit.rows.choose', { name: nameOf(row) })}
                checked={keys.has(keyOf(row))}
                onChange={(on) => choose(row, on)}
              />
              <div className={styles.content}>{children(row)}</div>
              {items.length > 0 && <Menu size="small" label={t('kit.rows.acts', { name: nameOf(row) })} items={items} />}
            </li>
          )
        })}
      </ul>
    </>
  )
}

export interface RowWork<Row> {
  /** Of the last time: rows for which it did not work, and why. */
  refused: readonly { row: Row; message: string }[]
  progress: { done: number; total: number } | undefined
  /** Does something to rows one after another; a refusal does not stop the rest. @returns for how many it worked */
  run(rows: readonly Row[], send: (row: Row) => Promise<unknown>): Promise<number>
}

/** Keeps what {@link ChoiceRows} shows of work on several rows. Calls are made with `passingError` and `ignoreServerError`. */
export function useRowWork<Row>(): RowWork<Row> {
  const [refused, setRefused] = useState<RowWork<Row>['refused']>([])
  const [progress, setProgress] = useState<RowWork<Row>['progress']>()
  return {
    refused,
    progress,
    async run(rows, send) {
      const failures: { row: Row; message: string }[] = []
      setRefused([])
      for (const [done, row] of rows.entries()) {
        if (rows.length > 1) setProgress({ done, total: rows.length })
        try {
          await send(row)
        } catch (error) {
          failures.push({ row, message: (error as ApiError).msg })
        }
      }
      setProgress(undefined)
      setRefused(failures)
      return rows.length - failures.length
    },
  }
}
