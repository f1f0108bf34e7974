import * as manifests from '../kernel/check-manifest.ts'
import * as errors from '../kernel/errors.ts'
import * as seed from '../seed/index.ts'

/** Names that sdk 1.0 had in `@stoa/sdk/server` and that have moved since: bundles built with it still ask for them there. */
export const legacyServer = { ...manifests, ...errors, ...seed }
