/** A value as people read it: as it is, or a text of the `server` branch by its key. */
export type SettingText = string | { text: string; params?: Record<string, string | number> }

/** A setting before and after; a secret has neither. */
export interface SettingChange {
  /** Key of the setting's name in the `server` branch, or the name itself. */
  field: string
  from?: SettingText
  to?: SettingText
}

/** What somebody saved on a page of settings. */
export interface SettingsSaved {
  /** Address of the page, such as `/admin/smtp`. */
  page: string
  /** What people call the page, in the site's language. */
  label: string
  personId: number
  changes: readonly SettingChange[]
  /** What keys of `changes` say, by language: of a plugin that is off nobody else knows. */
  texts?: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Longer values are cut: the whole text of a page is not for a log. */
const LONGEST = 200

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object') return String(value)
  const { display_name, slug_name } = value as { display_name?: string; slug_name?: string }
  return display_name ?? slug_name ?? JSON.stringify(value)
}

const cut = (text: SettingText): SettingText =>
  typeof text === 'string' && text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text

/**
 * What differs between two states of a page of settings, to those who read it.
 * @param secrets names of settings of which only is told that they changed
 * @param say how people call a value; undefined: as it is
 */
export function settingChanges(
  before: object,
  after: object,
  secrets: readonly string[] = [],
  say: (field: string, value: unknown) => SettingText | undefined = () => undefined,
): SettingChange[] {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([field, value]): SettingChange[] => {
    const from = say(field, was.get(field)) ?? textOf(was.get(field))
    const to = say(field, value) ?? textOf(value)
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    return [secrets.includes(field) ? { field } : { field, from: cut(from), to: cut(to) }]
  })
}
