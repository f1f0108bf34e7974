import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'

/** What the environment says. Every variable is optional. */
export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  siteUrl: string | undefined
  smtpUrl: string | undefined
  /** Addresses or ranges whose forwarding headers count. */
  trustProxy: string[]
  /** Addresses or ranges that plugins may send requests to although they are not public. */
  outgoing: string[]
  rateLimits: boolean
  /** Set when the variables of an unattended first start are all given. */
  install: InstallValues | undefined
}

export interface InstallValues {
  siteName: string
  language: string
  adminName: string
  adminEmail: string
  adminPassword: string
  contactEmail: string
  /** Only people who are logged in see anything. */
  isPrivate: boolean
  /** What plugins ask in the wizard: `STOA_SETUP_TIME_ZONE` is what `time_zone` is set to. */
  extra: Record<string, string>
}

/** A variable with a wrong value; the message is the one sentence that the operator sees. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

const wrong = (name: string, found: string, right: string): never => {
  throw new ConfigError(`${name} is "${found}"; it must be ${right}.`)
}

function address(env: Environment, name: string, protocols: string[], right: string): string | undefined {
  const found = env[name]
  if (!found) return undefined
  if (!URL.canParse(found) || !protocols.includes(new URL(found).protocol)) return wrong(name, hidePassword(found), right)
  return found.replace(/\/+$/, '')
}

const hidePassword = (url: string): string => url.replace(/(:\/\/[^:@/]*:)[^@/]*@/, '$1…@')

function choice<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const found = env[name]
  if (!found) return fallback
  return values.includes(found as T) ? (found as T) : wrong(name, found, values.map((value) => `"${value}"`).join(' or '))
}

/** Reads the environment. @throws ConfigError that names the variable, what was found and what would be right. */
export function readConfig(env: Environment): Config {
  const port = Number(env.PORT || '3000')
  if (!Number.isInteger(port) || port < 0 || port > 65535) wrong('PORT', String(env.PORT), 'a whole number from 0 to 65535')
  const host = env.HOST || '0.0.0.0'
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) wrong('HOST', host, 'a host name or address such as 127.0.0.1')
  const trustProxy = (env.STOA_TRUST_PROXY ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const bad = trustProxy.find((part) => !/^([0-9a-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)$/.test(part))
  if (bad !== undefined) wrong('STOA_TRUST_PROXY', bad, 'addresses or ranges separated by commas, such as 127.0.0.1, 10.0.0.0/8')
  const outgoing = (env.STOA_OUTGOING_ALLOW ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const misread = outgoing.find((part) => !isRange(part))
  if (misread !== undefined) wrong('STOA_OUTGOING_ALLOW', misread, 'addresses or ranges separated by commas, such as 10.0.0.5, 10.1.0.0/16')
  return {
    port,
    host,
    dataDir: resolve(env.STOA_DATA || 'data'),
    databaseUrl: address(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], 'an address such as postgres://user:password@host:5432/name'),
    siteUrl: address(env, 'STOA_SITE_URL', ['http:', 'https:'], 'an address such as https://example.org'),
    smtpUrl: address(env, 'SMTP_URL', ['smtp:', 'smtps:'], 'an address such as smtp://user:password@host:587'),
    trustProxy,
    outgoing,
    rateLimits: choice(env, 'STOA_RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    install: readInstall(env),
  }
}

const isRange = (part: string): boolean => (part.includes('/') ? ipaddr.isValidCIDR(part) : ipaddr.isValid(part))

function readInstall(env: Environment): InstallValues | undefined {
  const language = choice(env, 'STOA_LANG', ['zh_CN', 'en_US'], 'zh_CN')
  const isPrivate = choice(env, 'STOA_PRIVATE', ['on', 'off'], 'off') === 'on'
  const { STOA_SITE_NAME, STOA_CONTACT_EMAIL = '', STOA_ADMIN_NAME, STOA_ADMIN_EMAIL, STOA_ADMIN_PASSWORD } = env
  if (STOA_SITE_NAME && [...STOA_SITE_NAME].length > 30) wrong('STOA_SITE_NAME', STOA_SITE_NAME, 'at most 30 characters')
  if (STOA_ADMIN_NAME && !/^[A-Za-z0-9._-]{2,30}$/.test(STOA_ADMIN_NAME)) {
    wrong('STOA_ADMIN_NAME', STOA_ADMIN_NAME, '2 to 30 of the characters a-z, A-Z, 0-9, "-", "." and "_"')
  }
  if (STOA_ADMIN_EMAIL && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(STOA_ADMIN_EMAIL))
    wrong('STOA_ADMIN_EMAIL', STOA_ADMIN_EMAIL, 'an e-mail address')
  if (STOA_CONTACT_EMAIL && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(STOA_CONTACT_EMAIL))
    wrong('STOA_CONTACT_EMAIL', STOA_CONTACT_EMAIL, 'an e-mail address')
  if (STOA_ADMIN_PASSWORD && (STOA_ADMIN_PASSWORD.length < 8 || STOA_ADMIN_PASSWORD.length > 32)) {
    wrong('STOA_ADMIN_PASSWORD', `${STOA_ADMIN_PASSWORD.length} characters`, '8 to 32 characters')
  }
  if (!STOA_ADMIN_NAME || !STOA_ADMIN_EMAIL || !STOA_ADMIN_PASSWORD) return undefined
  return {
    siteName: STOA_SITE_NAME || 'Stoa',
    language,
    adminName: STOA_ADMIN_NAME,
    adminEmail: STOA_ADMIN_EMAIL,
    adminPassword: STOA_ADMIN_PASSWORD,
    contactEmail: STOA_CONTACT_EMAIL,
    isPrivate,
    extra: askedOf(env),
  }
}

const SETUP = 'STOA_SETUP_'

const askedOf = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(SETUP) && value ? [[name.slice(SETUP.length).toLowerCase(), value]] : [],
    ),
  )
