/** Guards that the kernel of sdk 1.0 had itself, and who has them now: pages of plugins that were built then name them without an owner. */
export const movedGuards: ReadonlyMap<string, string> = new Map([['registrationOpen', 'accounts.registrationOpen']])
