import type { ReadToken } from '@stoa/sdk'
import type { Host, Jobs, PluginItself, ReadCall } from '../server/context.ts'

/** Members that sdk 1.0 had in `ServerContext` itself, each with the group it has moved to. */
export interface FlatContext {
  /** @deprecated `ctx.plugin.slug` */
  readonly slug: PluginItself['slug']
  /** @deprecated `ctx.plugin.version` */
  readonly version: PluginItself['version']
  /** @deprecated `ctx.plugin.signal` */
  readonly signal: PluginItself['signal']
  /** @deprecated `ctx.plugin.settings` */
  readonly settings: PluginItself['settings']
  /** @deprecated `ctx.plugin.own` */
  readonly own: PluginItself['own']
  /** @deprecated `ctx.plugin.onReturn` */
  readonly onReturn: PluginItself['onReturn']
  /** @deprecated `ctx.read.has` */
  readonly has: ReadCall['has']
  /** @deprecated `ctx.jobs.handle` */
  readonly job: Jobs['handle']
  /** @deprecated `ctx.jobs.enqueue` */
  readonly enqueue: Jobs['enqueue']
  /** @deprecated `ctx.jobs.every` */
  readonly every: Jobs['every']
  /** @deprecated `ctx.host.request` */
  readonly request: Host['request']
  /** @deprecated `ctx.host.random` */
  readonly random: Host['random']
  /** @deprecated `ctx.host.limit` */
  readonly limit: Host['limit']
  /** @deprecated `ctx.host.storage` */
  readonly storage: Host['storage']
  /** @deprecated `ctx.host.images` */
  readonly images: Host['images']
  /** @deprecated `ctx.host.mail` */
  readonly mail: Host['mail']
  /** @deprecated `ctx.host.texts` */
  readonly texts: Host['texts']
  /** @deprecated `ctx.host.credentials` */
  readonly credentials: Host['credentials']
  /** @deprecated `ctx.host.contributions` */
  readonly contributions: Host['contributions']
  /** @deprecated `ctx.host.plugins` */
  readonly plugins: Host['plugins']
}

/** Members that sdk 1.0 had in `ReadContext` itself. */
export interface FlatReadContext {
  /** @deprecated `ctx.read(…)` */
  call<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  /** @deprecated `ctx.read.has` */
  has: ReadCall['has']
}

const moved: { [K in keyof FlatContext]: (ctx: Grouped) => FlatContext[K] } = {
  slug: ({ plugin }) => plugin.slug,
  version: ({ plugin }) => plugin.version,
  signal: ({ plugin }) => plugin.signal,
  settings: ({ plugin }) => plugin.settings,
  own: ({ plugin }) => plugin.own,
  onReturn: ({ plugin }) => plugin.onReturn,
  has: ({ read }) => read.has,
  job: ({ jobs }) => jobs.handle,
  enqueue: ({ jobs }) => jobs.enqueue,
  every: ({ jobs }) => jobs.every,
  request: ({ host }) => host.request,
  random: ({ host }) => host.random,
  limit: ({ host }) => host.limit,
  storage: ({ host }) => host.storage,
  images: ({ host }) => host.images,
  mail: ({ host }) => host.mail,
  texts: ({ host }) => host.texts,
  credentials: ({ host }) => host.credentials,
  contributions: ({ host }) => host.contributions,
  plugins: ({ host }) => host.plugins,
}

interface Grouped {
  readonly plugin: PluginItself
  readonly read: ReadCall
  readonly jobs: Jobs
  readonly host: Host
}

/**
 * The context with its members of sdk 1.0 beside the groups.
 * @param noted told of each that is used, as `ctx.random`
 */
export function withFlatMembers<C extends Grouped>(ctx: C, noted: (use: string) => void): C & FlatContext {
  const getters = Object.entries(moved).map(([name, of]) => {
    const get = () => {
      noted(`ctx.${name}`)
      return of(ctx)
    }
    return [name, { get, enumerable: true }]
  })
  return Object.defineProperties(ctx, Object.fromEntries(getters)) as C & FlatContext
}
