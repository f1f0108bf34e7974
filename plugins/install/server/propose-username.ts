const NEUTRAL = 'owner'

/**
 * A username that the form takes, for a name of any script.
 * @param slug the name as a path part, Chinese as pinyin; undefined where nobody makes one
 */
export function proposeUsername(name: string, slug: string | undefined): string {
  const wanted = (slug === undefined || slug === 'topic' || slug.includes('%') ? name : slug)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 30)
    .replace(/^[-._]+|[-._]+$/g, '')
  return wanted.length < 2 ? NEUTRAL : wanted
}
