import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { Figure, statistics } from '../shared/api.ts'

const KEPT_SECONDS = 60
const LAST = 1000

/** Plugins that count something, in the order of what they count. */
export const inOrder = ({ current }: Wanted<typeof statistics>) =>
  current.toSorted((a, b) => (a.service.order ?? LAST) - (b.service.order ?? LAST))

/** Figures of all plugins; counted anew after a minute, or when other plugins are on. */
export function createFigures(ctx: ServerContext, counted: Wanted<typeof statistics>): () => Promise<readonly Figure[]> {
  let kept: { at: number; of: string; figures: Promise<readonly Figure[]> } | undefined
  return () => {
    const of = counted.current.map(({ slug }) => slug).join(' ')
    if (kept && kept.of === of && ctx.now() - kept.at < KEPT_SECONDS) return kept.figures
    const figures = Promise.all(inOrder(counted).map(({ service }) => service.figures())).then((lists) => lists.flat())
    kept = { at: ctx.now(), of, figures }
    figures.catch(() => {
      kept = undefined
    })
    return figures
  }
}
