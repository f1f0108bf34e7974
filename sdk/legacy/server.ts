import * as kernel from '../kernel/index.ts'
import * as seed from '../seed/index.ts'

/** Names that sdk 1.0 had in `@stoa/sdk/server` and that have moved since: bundles built with it still ask for them there. */
export const legacyServer = { ...kernel, ...seed }
