import type { Closure, SiteInfo } from '@stoa/sdk/server'
import type { Revisions } from '../db/revisions.ts'
import type { KernelDatabase } from '../db/transactions.ts'

export interface Site extends SiteInfo {
  /** Its address says https. */
  readonly isSecure: boolean
  load(): Promise<void>
  /** Address to use while neither the environment nor the installation gave one: where the server listens. */
  useAddress(url: string): void
  /** `fn` runs after a change has been committed, on every node. @returns what ends it */
  onChange(fn: () => void): () => void
}

const open: Closure = { degree: 'open', message: '', until: 0 }
const closureOf = (json: string): Closure => (json === '' ? open : { ...open, ...(JSON.parse(json) as Partial<Closure>) })

/** Facts of the site, kept in memory. `fixedUrl`: the environment's address, which wins over the stored one. */
export function createSite(database: KernelDatabase, revisions: Revisions, fixedUrl: string | undefined): Site {
  let facts = { url: '', name: 'Stoa', language: 'zh_CN', isPrivate: false, installed: false, closure: open }
  let round = 0
  let listening = ''
  const listeners = new Set<() => void>()
  const withoutSlash = (url: string) => url.replace(/\/+$/, '')
  const fixed = withoutSlash(fixedUrl ?? '')

  async function load(): Promise<void> {
    const mine = ++round
    const row = await database.outside(() =>
      database.query
        .selectFrom('kernel__site')
        .select(['url', 'name', 'language', 'is_private', 'installed_at', 'closure'])
        .where('id', '=', 1)
        .executeTakeFirstOrThrow(),
    )
    if (mine !== round) return // overtaken by a later question
    const { url, name, language } = row
    facts = {
      url: withoutSlash(url),
      name,
      language,
      isPrivate: row.is_private === 1,
      installed: row.installed_at > 0,
      closure: closureOf(row.closure),
    }
    tell()
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }

  revisions.on('site', load)
  return {
    get url() {
      return fixed || facts.url || listening
    },
    get isSecure() {
      return this.url.startsWith('https:')
    },
    get name() {
      return facts.name
    },
    get language() {
      return facts.language
    },
    get isPrivate() {
      return facts.isPrivate
    },
    get installed() {
      return facts.installed
    },
    get closure() {
      return facts.closure
    },
    load,
    useAddress(url) {
      listening = withoutSlash(url)
      tell()
    },
    onChange(fn) {
      listeners.add(fn)
      return () => listeners.delete(fn)
    },
    async set({ url, name, language, isPrivate, closure }) {
      const columns = {
        ...(url !== undefined && { url: withoutSlash(url) }),
        ...(name !== undefined && { name }),
        ...(language !== undefined && { language }),
        ...(isPrivate !== undefined && { is_private: isPrivate ? 1 : 0 }),
        ...(closure !== undefined && { closure: JSON.stringify(closure) }),
      }
      if (Object.keys(columns).length === 0) return
      await database.write(async (tx) => {
        await tx.updateTable('kernel__site').set(columns).where('id', '=', 1).execute()
        await revisions.raise('site')
        // `load` by the listener takes a moment; the line after `set` reads the new facts already.
        database.afterCommit(() => {
          facts = {
            ...facts,
            ...(url !== undefined && { url: withoutSlash(url) }),
            ...(name !== undefined && { name }),
            ...(language !== undefined && { language }),
            ...(isPrivate !== undefined && { isPrivate }),
            ...(closure !== undefined && { closure }),
          }
          tell()
        })
      })
    },
  }
}
