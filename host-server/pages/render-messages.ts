import type { RenderJob, RenderReply } from '../../core/entry/render-types.ts'

export type { RenderJob, RenderReply }

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
  | { kind: 'render'; id: number; job: SentJob; plugins: WorkerPlugin[] }
  | { kind: 'warm'; id: number; plugins: WorkerPlugin[] }
  | { kind: 'told'; id: number; value: unknown; error?: string }
  | { kind: 'ping'; id: number }

export type FromWorker =
  | { kind: 'rendered'; id: number; reply: RenderReply }
  | { kind: 'failed'; id: number; error: string }
  | { kind: 'done'; id: number; warnings: string[] }
  /** The worker asks the main thread. */
  | { kind: 'ask'; id: number; what: 'call'; job: number; url: string }
  /** What a job named and the worker does not have. */
  | { kind: 'ask'; id: number; what: 'part'; job: number; part: number }
  | { kind: 'ask'; id: number; what: 'texts'; namespace: string; language: string }
