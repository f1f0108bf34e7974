/** Settings as the owner has filled them in, without spaces around them. */
export interface LdapSettings {
  label: string
  /** `ldap://` or `ldaps://`, with a host and nothing behind the port. */
  url: string
  start_tls: boolean
  ca_pem: string
  bind_dn: string
  bind_password: string
  base_dn: string
  /** RFC 4515, with `{login}` where the typed name stands. */
  user_filter: string
  group_dn: string
  id_attribute: string
  name_attribute: string
  username_attribute: string
  mail_attribute: string
  trust_mail: boolean
}

export function settingsOf(values: Record<string, unknown>): LdapSettings {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name].trim() : '')
  return {
    label: text('label'),
    url: text('url'),
    start_tls: values.start_tls !== false,
    ca_pem: text('ca_pem'),
    bind_dn: text('bind_dn'),
    // Spaces may be part of it.
    bind_password: typeof values.bind_password === 'string' ? values.bind_password : '',
    base_dn: text('base_dn'),
    user_filter: text('user_filter'),
    group_dn: text('group_dn'),
    id_attribute: text('id_attribute'),
    name_attribute: text('name_attribute'),
    username_attribute: text('username_attribute'),
    mail_attribute: text('mail_attribute'),
    trust_mail: values.trust_mail === true,
  }
}

/** Address of a server, without a path that would be ignored. */
export const isAddress = (url: string): boolean => /^ldaps?:\/\/[^\s/?#@]+\/?$/.test(url) && URL.canParse(url)

export const isComplete = ({ url, base_dn, user_filter, id_attribute }: LdapSettings): boolean =>
  isAddress(url) && base_dn !== '' && user_filter.includes('{login}') && id_attribute !== ''
