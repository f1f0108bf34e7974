/** The built-in engine counts no further on the first pages. */
export const COUNTED = 1000
/** Nor beyond this, for who reads on: as far as pages go. */
export const DEEPEST = 10_000
