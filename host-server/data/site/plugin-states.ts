import { pluginErrors } from '@stoa/sdk/kernel'
import type { Kysely } from 'kysely'
import type { Revisions } from '../db/revisions.ts'
import type { KernelTables } from '../db/tables.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import { lockCursors } from '../events/cursors.ts'
import { recordSwitches } from './switch-history.ts'

/** Which version of an installed plugin runs. A key is `<version>-<8 hex of the digest of its files>`, the name of its folder in the store. */
export interface PackageState {
  /** Key of the version that runs when the plugin is on; empty: what came with the site, or what lies in its folder. */
  chosen: string
  /** Chosen by name: stays even when the site comes with a newer one. */
  pinned: boolean
  /** What ran before, newest last: keys, or empty for the version that came with the site. */
  history: string[]
  /** Generation of the folder in `<data>/plugins` that was judged last; the same is not tried again by itself. */
  judged: string
  /** The chosen version was taken from that folder, and is gone when the folder is. */
  fromFolder: boolean
  /** Decided by a process that runs no plugins: the first site that cannot start it takes the decision back. */
  untried: boolean
  /** Nothing with this slug came with the site when it was installed: the slug stays this package's until it is removed. */
  ownsSlug: boolean
}

export const noPackage: PackageState = {
  chosen: '',
  pinned: false,
  history: [],
  judged: '',
  fromFolder: false,
  untried: false,
  ownsSlug: false,
}

/** Columns that keep a package. */
const columnsOf = ({ ownsSlug, ...state }: PackageState) => ({ package: JSON.stringify(state), owns_slug: ownsSlug ? 1 : 0 })

/** What keeps a plugin from running: a text key with its values, and the English sentence of the log. */
export interface Problem {
  code: string
  params: Record<string, unknown>
  message: string
}

export interface Quarantine {
  slug: string
  /** Code that failed. */
  generation: string
  problem: Problem
}

/** What is decided, for all nodes, by slug. */
export interface StoredPlugins {
  epoch: number
  /** Only plugins that were ever switched. */
  enabled: ReadonlyMap<string, boolean>
  /** Why a plugin, or a new version of it, does not run. */
  reasons: ReadonlyMap<string, string>
  packages: ReadonlyMap<string, PackageState>
  /** Nothing but what came with the site runs. */
  safeMode: boolean
}

/** One decision, by slug; stored wholly or not at all. */
export interface PluginChange {
  enabled?: ReadonlyMap<string, boolean>
  packages?: ReadonlyMap<string, PackageState>
  reasons?: ReadonlyMap<string, string>
  safeMode?: boolean
  /** Stay switched on and stop for now. */
  paused?: readonly string[]
  /** The plugin that somebody decided about; the others go along with it. */
  cause?: string
}

export interface PluginStates {
  load(): Promise<StoredPlugins>
  /**
   * Stores a decision if `epoch` is still the current one. @returns the new epoch
   * @throws `error.plugin.busy` when another node was faster
   */
  save(epoch: number, change: PluginChange): Promise<number>
  /** Why a plugin is not running; empty text forgets it. */
  setReason(slug: string, text: string): Promise<void>
  /** Stores a package without a new epoch, where nothing of what runs changes by it. */
  note(slug: string, state: PackageState): Promise<void>
  quarantines(): Promise<Quarantine[]>
  setQuarantine(quarantine: Quarantine): Promise<void>
  endQuarantine(slug: string): Promise<void>
  /** `fn` runs after each change of the epoch, here or on another node. @returns what ends it */
  onChange(fn: () => void | Promise<void>): () => void
  /** Forgets what is kept of a plugin that was removed. */
  forget(slug: string): Promise<void>
}

/** Which plugins are switched on and in which version, for all nodes. */
export function createPluginStates(database: KernelDatabase, revisions: Revisions, owner: string, now: () => number): PluginStates {
  async function put(slug: string, values: { enabled?: number; reason?: string; package?: string; owns_slug?: number }): Promise<void> {
    if (Object.keys(values).length === 0) return
    await database.join((tx) =>
      tx
        .insertInto('kernel__plugin')
        .values({ slug, enabled: null, reason: '', ...values })
        .onConflict((oc) => oc.column('slug').doUpdateSet(values))
        .execute(),
    )
  }

  return {
    async load() {
      return await database.outside(async () => {
        const db = database.query
        // The epoch first: what is read after it can only be newer, and is then read again.
        const { n: epoch } = await db.selectFrom('kernel__revision').select('n').where('topic', '=', 'plugins').executeTakeFirstOrThrow()
        const rows = await db.selectFrom('kernel__plugin').select(['slug', 'enabled', 'reason', 'package', 'owns_slug']).execute()
        const { safe_mode } = await db.selectFrom('kernel__site').select('safe_mode').where('id', '=', 1).executeTakeFirstOrThrow()
        return {
          epoch,
          enabled: new Map(rows.filter((row) => row.enabled !== null).map((row) => [row.slug, row.enabled === 1])),
          reasons: new Map(rows.filter((row) => row.reason !== '').map((row) => [row.slug, row.reason])),
          packages: new Map(
            rows
              .filter((row) => row.package !== '')
              .map((row) => [row.slug, { ...noPackage, ...JSON.parse(row.package), ownsSlug: row.owns_slug === 1 }]),
          ),
          safeMode: safe_mode === 1,
        }
      })
    },
    async save(expected, change) {
      const { enabled = new Map(), packages = new Map(), reasons = new Map(), safeMode, paused = [] } = change
      return await database.write(async (tx) => {
        await revisions.raise('plugins')
        const { n: epoch } = await tx.selectFrom('kernel__revision').select('n').where('topic', '=', 'plugins').executeTakeFirstOrThrow()
        if (epoch !== expected + 1) throw pluginErrors.busy({ epoch: epoch - 1 })
        await recordSwitches(tx, { epoch, at: now(), change, before: await storedNow(tx) })
        for (const slug of new Set([...enabled.keys(), ...packages.keys(), ...reasons.keys()])) {
          const isOn = enabled.get(slug)
          const state = packages.get(slug)
          const reason = reasons.get(slug)
          await put(slug, {
            ...(isOn !== undefined && { enabled: isOn ? 1 : 0 }),
            ...(state !== undefined && columnsOf(state)),
            ...(reason !== undefined && { reason }),
          })
        }
        // From here on their subscriptions miss events; `subscribe` reads this when the plugin is back.
        const off = [...paused, ...[...enabled].flatMap(([slug, isOn]) => (isOn ? [] : [slug]))]
        if (off.length > 0) await lockCursors(tx, database.dialect)
        for (const slug of off) {
          const cursors = tx.updateTable('kernel__cursor').where('slug', '=', slug)
          await cursors.set({ missed_at: now() }).where('missed', '=', 0).execute()
          await cursors.set({ missed: 1 }).execute()
        }
        if (safeMode !== undefined)
          await tx
            .updateTable('kernel__site')
            .set({ safe_mode: safeMode ? 1 : 0 })
            .where('id', '=', 1)
            .execute()
        // Who decides serves it; those who follow say so when they have arrived.
        await tx.updateTable('kernel__node').set({ epoch }).where('id', '=', owner).execute()
        return epoch
      })
    },
    setReason: (slug, reason) => put(slug, { reason }),
    note: (slug, state) => put(slug, columnsOf(state)),
    async quarantines() {
      const rows = await database.query.selectFrom('kernel__quarantine').select(['slug', 'generation', 'problem']).execute()
      return rows.map((row) => ({ ...row, problem: JSON.parse(row.problem) as Problem }))
    },
    async setQuarantine({ slug, generation, problem }) {
      const values = { generation, problem: JSON.stringify(problem) }
      await database.write(async (tx) => {
        await tx
          .insertInto('kernel__quarantine')
          .values({ slug, ...values })
          .onConflict((oc) => oc.column('slug').doUpdateSet(values))
          .execute()
      })
    },
    async endQuarantine(slug) {
      await database.write(async (tx) => {
        await tx.deleteFrom('kernel__quarantine').where('slug', '=', slug).execute()
      })
    },
    onChange: (fn) => revisions.on('plugins', fn),
    async forget(slug) {
      await database.write((tx) => tx.deleteFrom('kernel__plugin').where('slug', '=', slug).execute())
    },
  }
}

/** What is decided as the transaction sees it. */
async function storedNow(tx: Kysely<KernelTables>) {
  const rows = await tx.selectFrom('kernel__plugin').select(['slug', 'enabled', 'package']).execute()
  return {
    enabled: new Map(rows.map((row) => [row.slug, row.enabled])),
    chosen: new Map(
      rows.filter((row) => row.package !== '').map((row) => [row.slug, (JSON.parse(row.package) as PackageState).chosen ?? '']),
    ),
  }
}
