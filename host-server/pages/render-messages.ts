import type { RenderJob, RenderReply } from '../../core/entry/render-types.ts'

export type { RenderJob }

/** What the document repeats of a page is written where it was drawn, and travels as text instead of being copied as objects and written there. */
export interface DrawnPage extends Omit<RenderReply, 'page' | 'replies' | 'html' | 'groups' | keyof DrawnWith> {
  /** UTF-8. */
  html: Uint8Array<ArrayBuffer>
  /** Members `page` and `replies` of the page's state, as JSON for a document. */
  content: string
  /** {@link DrawnWith} as JSON: most pages are drawn with what another was, and so the same text. */
  drawnWith: string
  /** Namespace → groups of its texts that the page was drawn with, with spaces between them. */
  groups: Record<string, string>
  /** What stands in the places of the page's address. */
  params: Record<string, string>
  /** Addresses of all calls that the page made, of what was given as well. */
  calls: string[]
}

/** What decides which files a document needs for its page. `route`: pattern of its address. */
export interface DrawnWith extends Pick<RenderReply, 'use' | 'soon' | 'namespaces'> {
  route: string | undefined
}

/** Replies that a page is going to ask for: `bytes` holds the body of each in turn, `ends` where they end. */
export interface GivenReplies {
  urls: string[]
  statuses: number[]
  bytes: Uint8Array<ArrayBuffer>
  ends: number[]
}

/** A plugin as a render worker needs it: unmodified web files, imported from its folder. */
export interface WorkerPlugin {
  slug: string
  generation: string
  folder: string
  entry: string
  modules: Record<string, { expose: string }>
  /** File → digest; what a file no longer matches is not run. */
  integrity: Record<string, string>
}

/** A job whose map and site are named: most pages have the same, and copying them took longer than half of their drawing (measured). */
export interface SentJob extends Omit<RenderJob, 'state'> {
  state: Omit<RenderJob['state'], 'map' | 'site'> & { map: number; site: number }
}

export type ToWorker =
  /** `plugins`: those the worker may not have heard of yet. */
  | { kind: 'render'; id: number; job: SentJob; given: GivenReplies | undefined; plugins: WorkerPlugin[] }
  | { kind: 'warm'; id: number; plugins: WorkerPlugin[] }
  | { kind: 'told'; told: Told[] }
  | { kind: 'ping'; id: number }

export type FromWorker =
  /** It has begun. `thread`: see `ownThread` */
  | { kind: 'open'; thread: number | undefined }
  | { kind: 'rendered'; id: number; reply: DrawnPage }
  | { kind: 'failed'; id: number; error: string }
  | { kind: 'done'; id: number; warnings: string[] }
  | { kind: 'ask'; asks: Ask[] }
  /** What a page has waited for in vain. */
  | { kind: 'late'; modules: { slug: string; generation: string; module: string }[] }

/** What the worker needs of the main thread. All of one turn go together: each message wakes a thread. */
export type Question =
  | { what: 'call'; job: number; url: string }
  /** What a job named and the worker does not have. */
  | { what: 'part'; job: number; part: number }
  | { what: 'texts'; namespace: string; language: string }

export type Ask = Question & { id: number }

export interface Told {
  id: number
  value: unknown
  error?: string
}
