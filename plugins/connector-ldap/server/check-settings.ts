import { X509Certificate } from 'node:crypto'
import { FilterParser, ResultCodeError } from 'ldapts'
import { bindToSearch, connected, filterFor } from './directory.ts'
import type { LdapSettings } from './settings.ts'
import { isAddress } from './settings.ts'

interface Judged {
  /** Keys of texts by field; undefined where all is well. */
  wrong?: Record<string, string>
  /** What the directory or the network said. */
  cause?: Error
}
const wrong = (field: keyof LdapSettings, why: string, cause?: unknown): Judged => ({
  wrong: { [field]: `connector_ldap.error.${why}` },
  ...(cause instanceof Error && { cause }),
})

/** What can be told without asking the directory. */
export function wrongIn(settings: LdapSettings): Judged['wrong'] {
  if (settings.url === '') return undefined
  if (!isAddress(settings.url)) return wrong('url', 'url').wrong
  if (settings.ca_pem !== '' && !isCertificate(settings.ca_pem)) return wrong('ca_pem', 'ca').wrong
  if (!isFilter(settings.user_filter)) return wrong('user_filter', 'filter').wrong
  if (settings.id_attribute === '') return wrong('id_attribute', 'attribute').wrong
  return undefined
}

/** Asks the directory with settings that are not saved yet. */
export async function testSettings(settings: LdapSettings): Promise<Judged> {
  if (settings.url === '') return {}
  try {
    return await connected(settings, async (client) => {
      try {
        await bindToSearch(client, settings)
      } catch (error) {
        if (error instanceof ResultCodeError) return wrong('bind_dn', 'bind', error)
        throw error
      }
      for (const [field, dn, why] of [
        ['base_dn', settings.base_dn, 'base'],
        ['group_dn', settings.group_dn, 'group'],
      ] as const) {
        if (field === 'group_dn' && dn === '') continue
        try {
          const { searchEntries } = await client.search(dn, { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'] })
          if (dn === '' || searchEntries.length === 0) return wrong(field, why)
        } catch (error) {
          if (error instanceof ResultCodeError) return wrong(field, why, error)
          throw error
        }
      }
      return {}
    })
  } catch (error) {
    return wrong('url', 'unreachable', error)
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function isFilter(template: string): boolean {
  try {
    return template.includes('{login}') && FilterParser.parseString(filterFor(template, 'somebody')) !== undefined
  } catch {
    return false
  }
}
