/** On a handle whose database answers without waiting: runs a composed statement at once, past what a handle does for others. */
export const AT_ONCE = Symbol.for('stoa.atOnce')

export type RunAtOnce = (sql: string, parameters: readonly unknown[]) => unknown[]
