/** Settings as the owner has filled them in, without spaces around them. */
export interface GithubSettings {
  label: string
  client_id: string
  client_secret: string
  /** Of GitHub or of an own Enterprise Server, without a slash at the end. */
  base_url: string
  /** Login name of an organisation; empty: everybody. */
  required_org: string
}

export function settingsOf(values: Record<string, unknown>): GithubSettings {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name].trim() : '')
  return {
    label: text('label'),
    client_id: text('client_id'),
    client_secret: text('client_secret'),
    base_url: text('base_url').replace(/\/+$/, ''),
    required_org: text('required_org'),
  }
}

/** Plain http is for a server on the same machine, which the operator has to allow. */
const isBase = (url: string): boolean =>
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)(?=:))[^\s/?#@]+$/.test(url) && URL.canParse(url)

export const isComplete = ({ client_id, client_secret, base_url }: GithubSettings): boolean =>
  client_id !== '' && client_secret !== '' && isBase(base_url)

/** @returns keys of texts by field; undefined where all is well */
export function checkSettings(values: Record<string, unknown>): Record<string, string> | undefined {
  const { client_id, client_secret, base_url, required_org } = settingsOf(values)
  if (!isBase(base_url)) return { base_url: 'connector_github.error.base_url' }
  if (required_org !== '' && !/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/.test(required_org))
    return { required_org: 'connector_github.error.required_org' }
  if (client_id !== '' && client_secret === '') return { client_secret: 'connector_github.error.client_secret' }
  return undefined
}

/** GitHub answers under a host of its own, an Enterprise Server under a path. */
export const apiOf = (base: string): string => (base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`)
