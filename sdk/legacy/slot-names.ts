/** Ids of the kernel's slots in sdk 1.0, which installed plugins fill. */
export const wasSlot = {
  headerCenter: ['header.search'],
  headerActions: ['header.actions'],
  headerPerson: ['header.person'],
  aside: ['aside'],
  editor: ['editor'],
  editorTools: [],
  completion: [],
  settingsPage: [],
} as const
