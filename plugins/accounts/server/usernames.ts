/** Path parts below `/users/` and words that would pass for the site itself. */
const routeWords = [
  'unsubscribe',
  'settings',
  'login',
  'logout',
  'register',
  'account-recovery',
  'change-email',
  'password-reset',
  'account-activation',
  'confirm-new-email',
  'account-suspended',
  'account-leaving',
  'confirm-email',
  'auth-landing',
  'notifications',
  'inactive',
  'me',
]
const siteWords = [
  'admin',
  'administrator',
  'moderator',
  'mod',
  'staff',
  'root',
  'system',
  'support',
  'help',
  'info',
  'security',
  'abuse',
  'postmaster',
  'webmaster',
  'api',
  'answer',
  'static',
  'uploads',
  'null',
  'undefined',
  'nobody',
  'anonymous',
  'self',
  'everyone',
  'all',
  'here',
  'channel',
]
const reserved = new Set([...routeWords, ...siteWords])
const alwaysReserved = new Set(routeWords)

const WELL_FORMED = /^[a-zA-Z0-9._-]{2,30}$/

/** Only letters, digits, dot, hyphen and underscore; not a word of the site. `byAdmin`: the site's words are allowed, its paths never. */
export function isUsername(username: string, { byAdmin = false } = {}): boolean {
  if (!WELL_FORMED.test(username)) return false
  return !(byAdmin ? alwaysReserved : reserved).has(username.toLowerCase())
}

/**
 * A username for a display name: as it is when it will do, as pinyin or with hyphens otherwise, with a suffix when it is taken.
 * @param slug the display name as a path part, `topic` when nothing was left of it
 * @param byAdmin an admin's own name, or one that an admin gives
 */
export async function freeUsername(
  name: string,
  slug: string,
  { byAdmin, taken, random }: { byAdmin: boolean; taken: (lower: string) => Promise<boolean>; random: () => string },
): Promise<string> {
  const wanted = WELL_FORMED.test(name) ? name.toLowerCase() : slug.slice(0, 30).replace(/[^a-z0-9._-]|-+$/g, '')
  const base = WELL_FORMED.test(wanted) && !(slug === 'topic' && name.toLowerCase() !== 'topic') && !slug.includes('%') ? wanted : 'user'
  if (base !== 'user' && isUsername(base, { byAdmin }) && !(await taken(base))) return base
  for (;;) {
    const candidate = `${base.slice(0, 25)}-${random()}`
    if (!(await taken(candidate))) return candidate
  }
}
