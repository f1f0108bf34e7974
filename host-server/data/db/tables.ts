import type { Generated } from 'kysely'

/** The kernel's own tables. Times are unix seconds, flags 0 or 1. */
export interface KernelTables {
  /** `contracts`: versions of before this step cannot run any more. */
  kernel__migration: { slug: string; name: string; at: number; contracts: Generated<number> }
  /** A counter per topic, raised by whoever changes it, so that other nodes notice. The topic `plugins` is the epoch. */
  kernel__revision: { topic: string; n: number }
  /** One row, id 1. `installed_at` is 0 until the installation is complete. */
  kernel__site: {
    id: number
    url: string
    name: string
    language: string
    is_private: number
    installed_at: number
    safe_mode: Generated<number>
    /** JSON of a `Closure`; empty while the site is open. */
    closure: Generated<string>
  }
  kernel__setting: { slug: string; json: string }
  /** What one person chose for one plugin. */
  kernel__member_setting: { person_id: number; slug: string; json: string }
  /** Only plugins that were ever switched or failed have a row. */
  kernel__plugin: {
    slug: string
    enabled: number | null
    reason: string
    /** JSON of `PackageState`; empty for a plugin that was never installed. */
    package: Generated<string>
    /** 1: the slug is the installed package's, and nothing that comes with the site may take it. */
    owns_slug: Generated<number>
  }
  /** Plugins that the kernel keeps off; `problem` is a `Problem` as JSON. Other code of the plugin than `generation` gets a new chance. */
  kernel__quarantine: { slug: string; generation: string; problem: string }
  /** Ways into the rescue page: `kind` is `link` (works once) or `session`. It ends with the `revision` of its person; 0: nobody's. */
  kernel__rescue: {
    token_hash: string
    kind: string
    expires_at: number
    principal_id: Generated<number>
    revision: Generated<number>
  }
  /** What was decided about plugins, and by whom. `cause`: it went along with that one. `slug` is empty for safe mode. */
  kernel__switch: {
    id: Generated<number>
    at: number
    epoch: number
    slug: string
    deed: 'on' | 'off' | 'version' | 'removed' | 'safe_on' | 'safe_off'
    version: string
    cause: string
    way: 'page' | 'rescue' | 'command' | ''
    person_id: number
  }
  /** A process that serves the site, and the epoch it has come to. `steps`: `KnownSteps` as JSON; null while it changes what it runs. */
  kernel__node: { id: string; host: string; pid: number; epoch: number; steps: string | null; lease_until: number }
  kernel__principal: {
    id: Generated<number>
    login: string
    password_hash: string | null
    role: number
    state: string
    created_at: number
    /** Raised with every change of address, password, role, state or `needs_more`. */
    revision: Generated<number>
    /** 1: the password alone lets nobody in. */
    needs_more: Generated<number>
  }
  kernel__session: {
    token_hash: string
    visit_hash: string
    principal_id: number
    expires_at: number
    created_at: number
    /** Of the last call that was written down, as `user_agent` is; written every ten minutes at most. */
    ip: Generated<string>
    user_agent: Generated<string>
    used_at: Generated<number>
  }
  /** `tx`: number of the transaction on PostgreSQL, where ids do not tell the order of commits; 0 on SQLite. */
  kernel__event: {
    id: Generated<number>
    tx: Generated<number>
    event: string
    slug: string
    payload: string
    key: string | null
    at: number
  }
  /** How far a subscription has come. `missed`: its plugin was off since, from `missed_at` on. `lease_until`: the node `owner` delivers it. */
  kernel__cursor: {
    slug: string
    name: string
    event: string
    tx: number
    event_id: number
    missed: number
    missed_at: Generated<number>
    owner: string
    lease_until: number
  }
  /** `waiting_key`: kind and key of a job that waits and may be replaced. */
  kernel__job: {
    id: Generated<number>
    kind: string
    payload: string
    key: string | null
    waiting_key: string | null
    state: 'waiting' | 'running' | 'dead'
    run_at: number
    attempts: number
    owner: string
    lease_until: number
    reason: string
    created_at: number
  }
  /** How often something was committed that pages may show: the sum over all slots. */
  kernel__change: { slot: number; n: number }
  kernel__timer: { slug: string; name: string; next_at: number }
  /** One row per counted action; PostgreSQL only in use. */
  kernel__hit: { action: string; key: string; at: number }
  /** What plugins keep for a short time: values that are taken once (`n` is 0), and counters (`value` is empty). `key`: a hash. */
  kernel__once: { slug: string; key: string; group_name: string; value: string; n: number; expires_at: number }
}
