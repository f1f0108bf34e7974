export interface Settings {
  label: string
  client_id: string
  client_secret: string
  /** The only company whose members are let in; empty: everybody of DingTalk. */
  corp_id: string
  /** Servers of DingTalk. */
  login_url: string
  api_url: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export const settingsOf = (values: Record<string, unknown>): Settings => ({
  label: text(values.label),
  client_id: text(values.client_id),
  client_secret: text(values.client_secret),
  corp_id: text(values.corp_id),
  login_url: text(values.login_url),
  api_url: text(values.api_url),
})

export const isFilledIn = ({ client_id, client_secret }: Settings): boolean => client_id !== '' && client_secret !== ''

/** A server, by https; without only on the same machine, which the operator has to allow. */
const isServer = (address: string): boolean =>
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]+$/.test(address) && URL.canParse(address)

/** @returns undefined where nothing is wrong; fields and keys of texts */
export function wrongIn(given: Settings): Record<string, string> | undefined {
  for (const field of ['login_url', 'api_url'] as const) if (!isServer(given[field])) return { [field]: 'connector_dingtalk.error.server' }
  if (given.client_id === '') return undefined
  return given.client_secret === '' ? { client_secret: 'connector_dingtalk.error.client_secret' } : undefined
}
