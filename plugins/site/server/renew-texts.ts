import { job } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { oneAtATime } from '@stoa/sdk/server'
import type { RenderedTexts, SiteSettings } from '../shared/api.ts'
import { excerpt } from './excerpt.ts'
import type { RenderThread } from './rendering.ts'
import type { SiteTables } from './settings.ts'

/** Texts per step: a step is one short read, and one short transaction for each text that became another one. */
const BATCH = 50
const EVERY_SECONDS = 60
/** Stands for kinds without a row: a site that begins with a renderer has nothing of an older one. */
const ANY = ''

const renew = job<Record<string, never>>('site.renewTexts')

interface Needs {
  ctx: ServerContext<SiteTables>
  rendering: RenderThread
  version: number
  texts(): RenderedTexts[]
}

/**
 * Writes stored HTML anew that an older version of the renderer made: in short steps, in the thread, and on from where it was after a restart. What
 * is written meanwhile is made by the new version already.
 */
export function createRenewal({ ctx, rendering, version, texts }: Needs) {
  const stateOf = async (kind: string) => {
    const rows = await ctx.db.query
      .selectFrom('site__rendered')
      .select(['kind', 'version', 'position', 'done'])
      .where('kind', 'in', [kind, ANY])
      .execute()
    const row = rows.find((one) => one.kind === kind) ?? rows[0]
    return row?.version === version ? { position: Number(row.position), isDone: row.done === 1 } : { position: 0, isDone: false }
  }
  const store = (kind: string, position: number, done: number) =>
    ctx.db.write(async (tx) => {
      const values = { version, position, done }
      await tx
        .insertInto('site__rendered')
        .values({ kind, ...values })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(values))
        .execute()
    })

  async function renewKind({ kind, options, page, store: keep }: RenderedTexts): Promise<void> {
    for (let { position, isDone } = await stateOf(kind); !isDone; ) {
      const found = await page(position, BATCH)
      for (const text of found) {
        const html = await rendering.renderApart(text.source, options)
        if (ctx.plugin.signal.aborted) return
        if (html === undefined) continue
        const isOther = html !== text.html || (text.excerpt !== undefined && text.excerpt !== excerpt(html))
        if (isOther) await keep({ n: text.n, source: text.source, html })
      }
      position = found.at(-1)?.n ?? position
      isDone = found.length < BATCH
      await store(kind, position, Number(isDone))
    }
  }

  const catchUp = oneAtATime(async () => {
    for (const one of texts()) await renewKind(one)
  })

  return {
    /** The site is new: there is nothing of an older version. */
    beginHere: (): Promise<void> => store(ANY, 0, 1),
    async begin(): Promise<void> {
      ctx.jobs.handle(renew, catchUp)
      // A plugin that came later, or a run that was cut off.
      ctx.jobs.every(renew.id, EVERY_SECONDS, catchUp)
      await ctx.jobs.enqueue(renew, {}, { key: renew.id })
    },
  }
}

/** Terms of service and privacy policy, which the settings keep. */
export function legalTexts(settings: SiteSettings): RenderedTexts {
  const names = ['terms_of_service', 'privacy_policy'] as const
  return {
    kind: 'legal',
    async page(after) {
      const legal = await settings.get('legal')
      const all = names.map((name, index) => ({ n: index + 1, source: legal[`${name}_original_text`], html: legal[`${name}_parsed_text`] }))
      return all.filter(({ n, source, html }) => n > after && source + html !== '')
    },
    async store({ n, html }) {
      await settings.set('legal', { [`${names[n - 1]}_parsed_text`]: html })
    },
  }
}
