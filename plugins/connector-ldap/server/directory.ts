import { checkServerIdentity } from 'node:tls'
import type { Entry } from 'ldapts'
import { Client, EqualityFilter, escapeFilter, NoSuchObjectError, OrFilter, ResultCodeError, SizeLimitExceededError } from 'ldapts'
import type { Identity } from '../../accounts/shared/api.ts'
import type { LdapSettings } from './settings.ts'

const CONNECT_MS = 3000
const ANSWER_MS = 5000
/** RFC 4511: inappropriate matching of a password, wrong ones, closed, locked or unknown accounts. */
const REFUSED = new Set([19, 32, 48, 49, 50, 53])

/** A connection of its own, which ends with what is done on it. Referrals are not followed: ldapts only reports them. */
export async function connected<T>({ url, start_tls, ca_pem }: LdapSettings, work: (client: Client) => Promise<T>): Promise<T> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const tlsOptions = {
    ...(ca_pem !== '' && { ca: ca_pem }),
    // StartTLS begins on a socket that does not know the name.
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) => checkServerIdentity(host, certificate),
  }
  const isSecure = url.startsWith('ldaps:')
  const client = new Client({ url, connectTimeout: CONNECT_MS, timeout: ANSWER_MS, ...(isSecure && { tlsOptions }) })
  try {
    if (!isSecure && start_tls) await client.startTLS(tlsOptions)
    return await work(client)
  } finally {
    await client.unbind().catch(() => {})
  }
}

/** Binds as the account that searches; anonymous where none is named. */
export const bindToSearch = async (client: Client, { bind_dn, bind_password }: LdapSettings): Promise<void> => {
  if (bind_dn !== '') await client.bind(bind_dn, bind_password)
}

/** The filter with the typed name in it, escaped as RFC 4515 says: whatever is typed stays a value. */
export const filterFor = (template: string, login: string): string => template.replaceAll('{login}', () => escapeFilter`${login}`)

/** @returns undefined where there is none, or more than one */
async function findOne(client: Client, settings: LdapSettings, login: string): Promise<Entry | undefined> {
  const { id_attribute, name_attribute, username_attribute, mail_attribute } = settings
  const attributes = [id_attribute, name_attribute, username_attribute, mail_attribute].filter((name) => name !== '')
  try {
    const { searchEntries } = await client.search(settings.base_dn, {
      scope: 'sub',
      filter: filterFor(settings.user_filter, login),
      attributes,
      ...(isGuid(id_attribute) && { explicitBufferAttributes: [id_attribute] }),
      sizeLimit: 2,
      timeLimit: ANSWER_MS / 1000,
    })
    return searchEntries.length === 1 ? searchEntries[0] : undefined
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return undefined
    throw error
  }
}

async function isMember(client: Client, { group_dn }: LdapSettings, dn: string): Promise<boolean> {
  if (group_dn === '') return true
  const filters = ['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn }))
  try {
    const filter = new OrFilter({ filters })
    const { searchEntries } = await client.search(group_dn, { scope: 'base', filter, attributes: ['1.1'], sizeLimit: 1 })
    return searchEntries.length === 1
  } catch (error) {
    if (error instanceof NoSuchObjectError) return false
    throw error
  }
}

async function isPassword(settings: LdapSettings, dn: string, password: string): Promise<boolean> {
  try {
    await connected(settings, (client) => client.bind(dn, password))
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSED.has(error.code)) return false
    throw error
  }
}

/**
 * Who has this name and password.
 * @returns undefined where nobody, more than one, or nobody of the group has them; it takes as many steps for all of these
 * @throws when the directory does not answer, or refuses the account that searches
 */
export async function lookUp(settings: LdapSettings, login: string, password: string): Promise<Identity | undefined> {
  // RFC 4513 5.1.2: a bind with a name and no password succeeds, as nobody.
  if (login === '' || password === '') return undefined
  const found = await connected(settings, async (client) => {
    await bindToSearch(client, settings)
    const entry = await findOne(client, settings, login)
    const isIn = await isMember(client, settings, entry?.dn ?? settings.base_dn)
    return entry && isIn ? entry : undefined
  })
  const isRight = await isPassword(settings, found?.dn ?? settings.base_dn, password)
  return found && isRight ? identityOf(found, settings) : undefined
}

/** @throws where the entry has no ID: by a name or an address nobody is known */
function identityOf(entry: Entry, settings: LdapSettings): Identity {
  const id = first(entry, settings.id_attribute)
  if (id === '') throw new Error(`the entry has no ${settings.id_attribute}`)
  const address = first(entry, settings.mail_attribute)
  return {
    externalId: id,
    ...(address !== '' && { emails: [{ address, verified: settings.trust_mail }] }),
    displayName: first(entry, settings.name_attribute),
    username: first(entry, settings.username_attribute),
  }
}

const isGuid = (attribute: string) => attribute.toLowerCase() === 'objectguid'

/** Servers answer names of attributes in a case of their own. */
function first(entry: Entry, attribute: string): string {
  const name = Object.keys(entry).find((key) => key !== 'dn' && key.toLowerCase() === attribute.toLowerCase())
  const values = name === undefined ? undefined : entry[name]
  const value = Array.isArray(values) ? values[0] : values
  if (Buffer.isBuffer(value)) return isGuid(attribute) ? guidOf(value) : value.toString('utf8')
  return value ?? ''
}

/** The three first groups of Active Directory's GUIDs are little-endian. */
export function guidOf(bytes: Buffer): string {
  if (bytes.length !== 16) return ''
  const groups = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)].map((part) => Buffer.from(part).reverse())
  return [...groups, bytes.subarray(8, 10), bytes.subarray(10)].map((part) => part.toString('hex')).join('-')
}
