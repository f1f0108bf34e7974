/** Posts that a member has opened in this tab: lists that were loaded before say so too. */
export const openedHere = new Set<string>()
