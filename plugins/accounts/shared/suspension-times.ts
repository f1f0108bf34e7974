/** How long somebody can be suspended, in the protocol's words; a month has 30 days here. */
export const suspensionTimes = ['24h', '48h', '72h', '7d', '14d', '1m', '2m', '3m', '6m', '1y', 'forever'] as const
export type SuspensionTime = (typeof suspensionTimes)[number]
