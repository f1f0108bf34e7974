import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type { DiffRow, Part } from './compare.ts'
import { compare } from './compare.ts'
import styles from './difference.module.css'

/** Unchanged lines that stay in view before and behind a change. */
const CONTEXT = 2

interface DifferenceViewProps {
  before: string
  after: string
  /** What is compared; default the text. */
  label?: string
}

/** Two texts as one: what went is struck out, what came is underlined, long stretches that stayed are folded. */
export function DifferenceView({ before, after, label }: DifferenceViewProps) {
  const t = useText('history')
  const rows = useMemo(() => compare(before, after), [before, after])
  if (before === after) return <p className={styles.none}>{t('diff.same')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={label ?? t('diff.label')} className={styles.difference} dir="auto">
      {stretches(rows).map(({ key, isFolded, rows }) =>
        isFolded ? (
          <details key={key} className={styles.folded}>
            <summary>{t('diff.unchanged', { count: rows.length })}</summary>
            {rows.map(drawn)}
          </details>
        ) : (
          <div key={key}>{rows.map(drawn)}</div>
        ),
      )}
    </div>
  )
}

interface Stretch {
  key: number
  isFolded: boolean
  rows: DiffRow[]
}

/** Fewer lines than this are not worth a fold. */
const FOLDED = 4

/** Rows in turns of what is shown and what is folded. */
function stretches(rows: readonly DiffRow[]): Stretch[] {
  const isNear = (index: number) => rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same')
  const found: Stretch[] = []
  for (const [index, row] of rows.entries()) {
    const isFolded = row.kind === 'same' && !isNear(index)
    const last = found.at(-1)
    if (last?.isFolded === isFolded) last.rows.push(row)
    else found.push({ key: index, isFolded, rows: [row] })
  }
  return found.map((stretch) => ({ ...stretch, isFolded: stretch.isFolded && stretch.rows.length >= FOLDED }))
}

const drawn = ({ kind, code, parts }: DiffRow, index: number): ReactNode => (
  <div key={index} className={code ? styles.code : styles.line} data-kind={kind}>
    {parts.map((part, at) => (
      <Piece key={at} part={part} />
    ))}
  </div>
)

function Piece({ part: { kind, text } }: { part: Part }) {
  const t = useText('history')
  // An empty line has a height.
  if (kind === 'same') return <>{text || '\u00a0'}</>
  const Tag = kind === 'added' ? 'ins' : 'del'
  return (
    <Tag className={styles[kind]} data-empty={text === '' || undefined}>
      <VisuallyHidden>{t(`diff.${kind}`)}: </VisuallyHidden>
      {text || '\u00a0'}
    </Tag>
  )
}
