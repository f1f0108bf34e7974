import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './table.module.css'

export interface Column<Row> {
  key: string
  label: ReactNode
  render(row: Row): ReactNode
  align?: 'start' | 'end'
  /** Takes no more width than it needs. */
  narrow?: boolean
  /** The column that names the row, for screen readers. */
  header?: boolean
  /** The label is there for screen readers only. */
  hideLabel?: boolean
}

interface TableProps<Row> {
  caption: string
  /** Shows the caption; otherwise it is for screen readers. */
  showCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string | number
  /** In place of the rows when there are none. */
  empty?: ReactNode
  /** Rows are being fetched: the old ones stay, paler. */
  busy?: boolean
}

/** Rows and columns; scrolls sideways in its own box where the screen is narrow. */
export function Table<Row>({ caption, showCaption, columns, rows, rowKey, empty, busy }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={styles.box} aria-label={caption} tabIndex={0}>
      <table className={styles.table} aria-busy={busy || undefined}>
        <caption className={showCaption ? styles.caption : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={cell(column)}>
                {column.hideLabel ? <span className="visually-hidden">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) =>
                column.header ? (
                  <th key={column.key} scope="row" className={cell(column)}>
                    {column.render(row)}
                  </th>
                ) : (
                  <td key={column.key} className={cell(column)}>
                    {column.render(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const cell = ({ align, narrow }: { align?: 'start' | 'end'; narrow?: boolean }): string | undefined =>
  classNames(align === 'end' && styles.end, narrow && styles.narrow) || undefined
