/** Names that one text can tell people by. */
const MOST = 20
const LINK = /<a href="\/users\/([A-Za-z0-9._-]{2,30})"[^>]*>@\1<\/a>/g

/** Usernames that a text mentions, in rendered HTML, each once; at most 20. */
export function mentionedIn(html: string): string[] {
  if (!html.includes('href="/users/')) return []
  const names = [...html.matchAll(LINK)].map(([, name = '']) => name)
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].slice(0, MOST)
}
