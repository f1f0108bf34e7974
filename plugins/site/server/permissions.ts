import type { Person } from '@stoa/sdk'
import { isAdmin, isStaff } from '@stoa/sdk'
import type { Host } from '@stoa/sdk/server'
import type { PermissionRule, Permissions, SettingsGroups, Verdict } from '../shared/api.ts'
import { permissionPoint, siteErrors } from '../shared/api.ts'

type Contributed = readonly { value: PermissionRule | PermissionRule[] }[]
const known = new WeakMap<Contributed, Map<string, PermissionRule>>()

/** All rules that active plugins contribute, by name. A later plugin's rule replaces an earlier one. */
export function permissionRules(host: Pick<Host, 'contributions'>): Map<string, PermissionRule> {
  const contributed: Contributed = host.contributions(permissionPoint)
  let rules = known.get(contributed)
  if (!rules) {
    rules = new Map(contributed.flatMap(({ value }) => value).map((rule) => [rule.name, rule]))
    known.set(contributed, rules)
  }
  return rules
}

/**
 * Reputation a rule asks for at the chosen privilege level.
 * @returns -1 when no reputation is enough
 */
export function neededRank(rule: PermissionRule | undefined, privileges: SettingsGroups['privileges']): number {
  if (!rule?.levels || rule.adminOnly) return -1
  const [low, medium, high] = rule.levels
  if (rule.fixed) return low
  if (privileges.level === 99) return privileges.custom_privileges[rule.name] ?? low
  return { 1: low, 2: medium, 3: high }[privileges.level] ?? medium
}

/** Role first, then reputation; people who are not activated or suspended may nothing. */
export function judge(rule: PermissionRule | undefined, needed: number, person: Person | null, rank: number): Verdict {
  const byRole = rule !== undefined && (rule.adminOnly ? isAdmin(person) : isStaff(person))
  const byRank = person?.state === 'normal' && needed >= 0 && rank >= needed
  return { allowed: byRole || byRank, needed, ...(!byRole && { rank }) }
}

export interface PermissionSources {
  rules(): Map<string, PermissionRule>
  privileges(): Promise<SettingsGroups['privileges']>
  rankOf(id: number): Promise<number>
}

/** The service that other plugins ask before they act. */
export function createPermissions({ rules, privileges, rankOf }: PermissionSources): Permissions {
  const may = async (person: Person | null, action: string): Promise<Verdict> => {
    const rule = rules().get(action)
    const needed = neededRank(rule, await privileges())
    const rank = person && needed >= 0 && !isStaff(person) ? await rankOf(person.id) : 0
    return judge(rule, needed, person, rank)
  }
  return {
    may,
    async require(person, action) {
      const { allowed, needed, rank = 0 } = await may(person, action)
      if (!allowed) throw siteErrors.rank_too_low({ action, needed, rank, ...(needed < 0 && { context: 'role' }) })
    },
  }
}
