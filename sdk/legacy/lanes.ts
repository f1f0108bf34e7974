/** Lanes by the names of sdk 1.0 and of today. */
export const laneOf = (lane: string | undefined): 'slow' | undefined => (lane === 'slow' || lane === 'search' ? 'slow' : undefined)
