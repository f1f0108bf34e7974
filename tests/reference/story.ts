import type { Shape } from './shape.ts'

/** What `story.json` holds. */
export interface Story {
  shapes: Shape[]
  steps: Step[]
}

/** One request of the story and what a server of this protocol answers. */
export interface Step {
  /** `file/name` of the recording. */
  step: string
  /** `visitor`, or the name of who asks. */
  as: string
  /** `GET /path`, with `{type}` where the path has a parameter. */
  call: string
  request?: {
    path?: string
    query?: Record<string, string | number | boolean>
    body?: unknown
    /** Body as it is. */
    raw?: string
    /** Multipart; `<file name, n bytes>` stands for a file. */
    form?: Record<string, string>
  }
  status: number
  reason: string
  /** Shape of `data`, by its place in the list of shapes. */
  reply?: number
  /** In place of a shape: names of the refused fields. */
  fields?: string[]
  /** The recorded server was wrong here; this is right as well. */
  want?: number | string
  /** Only status and reason count. */
  loose?: boolean
  /** Path in `data` → placeholder of an id that later requests name. */
  learns?: Record<string, string>
}
