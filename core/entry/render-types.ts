import type { PageContent, PageState } from '../../sdk/pages/page-state.ts'
import type { Head } from '../../sdk/web/page.ts'

export interface RenderJob {
  /** Path and query. */
  url: string
  state: Pick<PageState, 'map' | 'site' | 'scheme' | 'lists' | 'zone' | 'at' | 'form'>
  /** Contributions that browsers draw by themselves. */
  leaveOut?: string[]
}

export interface RenderReply {
  status: number
  /** Another address instead of a page. */
  redirect?: string
  html: string
  title: string
  head: Head
  page: PageContent | null
  replies: Record<string, unknown>
  use: [slug: string, module: string][]
  /** What a browser is going to need at once: the page itself, where only browsers draw it. */
  soon: [slug: string, module: string][]
  failed: string[]
  /** Contributions it has waited for in vain, by id. */
  late: string[]
  /** The page that the address has: its pattern, and what stands in its places. */
  route?: { path: string; params: Record<string, string> }
  /** Namespaces of texts the page came to use. */
  namespaces: string[]
  /** Namespace → groups of texts, the first parts of their keys, that it was drawn with. */
  groups: Record<string, string[]>
  /** Faults of nobody in particular but for what their stacks say. */
  faults: string[]
  /** Faults of contributions, taps and guards, by plugin; where a stack says something else, that is right. */
  charged: [slug: string, fault: string][]
}
