export interface Settings {
  label: string
  corp_id: string
  agent_id: string
  corp_secret: string
  private_info: boolean
  trust_company_mail: boolean
  /** Servers of WeCom. */
  api_url: string
  login_url: string
  inside_url: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export const settingsOf = (values: Record<string, unknown>): Settings => ({
  label: text(values.label),
  corp_id: text(values.corp_id),
  agent_id: text(values.agent_id),
  corp_secret: text(values.corp_secret),
  private_info: values.private_info === true,
  trust_company_mail: values.trust_company_mail === true,
  api_url: text(values.api_url),
  login_url: text(values.login_url),
  inside_url: text(values.inside_url),
})

export const isFilledIn = ({ corp_id, agent_id, corp_secret }: Settings): boolean => corp_id !== '' && agent_id !== '' && corp_secret !== ''

/** A server, by https; without only on the same machine, which the operator has to allow. */
const isServer = (address: string): boolean =>
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]+$/.test(address) && URL.canParse(address)

/** What is wrong with settings before anybody is asked. @returns undefined where nothing is; fields and keys of texts */
export function wrongIn(given: Settings): Record<string, string> | undefined {
  for (const field of ['api_url', 'login_url', 'inside_url'] as const)
    if (!isServer(given[field])) return { [field]: 'connector_wecom.error.server' }
  if (given.corp_id === '') return undefined
  if (!/^\d{1,20}$/.test(given.agent_id)) return { agent_id: 'connector_wecom.error.agent_id' }
  return given.corp_secret === '' ? { corp_secret: 'connector_wecom.error.corp_secret' } : undefined
}
