/** One provider of the settings. */
export interface Provider {
  label: string
  issuer: string
  client_id: string
  client_secret: string
}
const NAMES = ['label', 'issuer', 'client_id', 'client_secret'] as const
type Name = (typeof NAMES)[number]

/** Behind the names of the settings. The first one has none: it was alone once. */
const PLACES = ['', '2', '3', '4'] as const
export type Place = (typeof PLACES)[number]

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export const fieldOf = (name: Name, place: Place): string => (place === '' ? name : `${name}_${place}`)

/** Plain http is for an issuer on the same machine, which the operator has to allow. */
const isIssuer = (issuer: string): boolean =>
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]+$/.test(issuer) && URL.canParse(issuer)

export const isFilledIn = ({ issuer, client_id }: Provider): boolean => isIssuer(issuer) && client_id !== ''

/** What is entered, by place; those without an issuer are left out. */
export function providersIn(values: Record<string, unknown>): Map<Place, Provider> {
  const all = PLACES.map((place): [Place, Provider] => {
    const [label, issuer, client_id, client_secret] = NAMES.map((name) => text(values[fieldOf(name, place)])) as [
      string,
      string,
      string,
      string,
    ]
    return [place, { label, issuer, client_id, client_secret }]
  })
  return new Map(all.filter(([, { issuer }]) => issuer !== ''))
}

/** What can be told without asking anybody. @returns field → text key */
export function wrongIn(providers: ReadonlyMap<Place, Provider>): Record<string, string> {
  const wrong: Record<string, string> = {}
  const seen = new Set<string>()
  for (const [place, { issuer, client_id }] of providers) {
    const who = `${issuer.replace(/\/$/, '')} ${client_id}`
    if (!isIssuer(issuer)) wrong[fieldOf('issuer', place)] = 'connector_oidc.error.issuer'
    else if (client_id === '') wrong[fieldOf('client_id', place)] = 'connector_oidc.error.client_id'
    else if (seen.has(who)) wrong[fieldOf('client_id', place)] = 'connector_oidc.error.twice'
    seen.add(who)
  }
  return wrong
}
