import type { Measured } from './measure.ts'

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const short = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1))

/** Whether a budget is named and not reached. */
export const isMissed = ({ ratio, budget, p99, latest }: Measured): boolean =>
  (budget !== undefined && ratio < budget) || isLate({ p99, latest })
const isLate = ({ p99, latest }: Pick<Measured, 'p99' | 'latest'>): boolean => latest !== undefined && p99 > latest

/** The table that the bench prints. */
export function tableOf(measured: Measured[]): string {
  const head = ['what', 'bare req/s', 'ours req/s', 'ratio', 'bare cpu µs', 'ours cpu µs', 'p50 ms', 'p99 ms', 'budget', 'failed']
  const rows = measured.map((line) => [
    line.name,
    whole(line.bare),
    whole(line.ours),
    line.ratio.toFixed(3),
    whole(line.bareCpu),
    whole(line.oursCpu),
    short(line.p50),
    line.latest === undefined ? short(line.p99) : `${short(line.p99)} (${line.latest} ${isLate(line) ? '✗' : '✓'})`,
    line.budget === undefined ? '–' : `${line.budget} ${line.ratio < line.budget ? '✗' : '✓'}`,
    String(line.failed),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] as string).length)))
  const line = (row: string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join('  ')
  return [head, ...rows].map(line).join('\n')
}
