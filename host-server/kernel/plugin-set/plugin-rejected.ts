/** A plugin that cannot be part of the set: its code fails, its route is taken, a file of it is missing, its reads do not load. */
export class PluginRejected extends Error {
  readonly slug: string
  /** @param cause what its own code threw; absent when it stands by itself and only does not fit */
  constructor(slug: string, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.slug = slug
  }
}
