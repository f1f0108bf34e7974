/** A setting before and after, as text; a secret has neither. */
export interface SettingChange {
  field: string
  from?: string
  to?: string
}

/** What somebody saved on a page of settings. */
export interface SettingsSaved {
  /** Address of the page, such as `/admin/smtp`. */
  page: string
  /** What people call the page, in the site's language. */
  label: string
  personId: number
  changes: readonly SettingChange[]
}

/** Longer values are cut: the whole text of a page is not for a log. */
const LONGEST = 200

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '')
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

/**
 * What differs between two states of a page of settings.
 * @param secrets names of settings of which only is told that they changed
 */
export function settingChanges(before: object, after: object, secrets: readonly string[] = []): SettingChange[] {
  const was = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(was.get(field)) !== JSON.stringify(value))
    .map(([field, value]) => (secrets.includes(field) ? { field } : { field, from: textOf(was.get(field)), to: textOf(value) }))
}
