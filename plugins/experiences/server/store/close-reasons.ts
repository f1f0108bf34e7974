/** Reasons to close, by the protocol's numbers. A duplicate names the address of what it repeats, something else says what. */
export const duplicate = 60
export const somethingElse = 59
/** The others: community-specific, needs clarity. */
export const closeReasons: readonly number[] = [duplicate, 63, 64, somethingElse]
