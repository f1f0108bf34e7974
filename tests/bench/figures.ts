/** A figure that stands alone, not beside a bare server. */
export interface Figure {
  name: string
  value: number
  unit: 'ms' | 'KB' | 'MB' | '%' | ''
  /** Budget: more than this is a miss. */
  most?: number
}

export const isOver = ({ value, most }: Figure): boolean => most !== undefined && !(value <= most)

/** The table of figures that the bench prints below the other. */
export function figureTable(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${figure.value.toFixed(figure.unit === 'ms' || figure.unit === 'MB' ? 0 : figure.unit === '' ? 3 : 1)} ${figure.unit}`.trim(),
    figure.most === undefined ? '–' : `${figure.most} ${figure.unit}`.trim(),
    figure.most === undefined ? '' : isOver(figure) ? '✗' : '✓',
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  return rows
    .map(
      ([name = '', value = '', most = '', mark = '']) =>
        `${name.padEnd(widths[0] as number)}  ${value.padStart(widths[1] as number)}  ${most.padStart(widths[2] as number)} ${mark}`,
    )
    .join('\n')
}
