import { createHash } from 'node:crypto'
import type { Principal, ServerContext } from '@stoa/sdk/server'
import { isCodedError, roles } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Markdown } from '../../site/shared/api.ts'
import { accountErrors, accountEvents } from '../shared/api.ts'
import { displayName } from './display-name.ts'
import { held } from './held.ts'
import { personNamed, takeName } from './names.ts'
import type { AccountTables, ProfileRow } from './tables.ts'
import { ledgerOnly, profileColumns } from './tables.ts'
import { freeUsername } from './usernames.ts'

/** Names that are tried for one person, each with a suffix of its own. */
const MOST_NAMES = 5

export interface Profiles {
  find(id: number): Promise<ProfileRow | undefined>
  findByUsername(username: string): Promise<ProfileRow | undefined>
  /** Makes the profile of a new principal, in the current transaction. */
  /** @param values.username wished for; made of the display name where it is left out */
  create(principal: Principal, displayName: string, values?: { rank?: number; byAdmin?: boolean; username?: string }): Promise<ProfileRow>
  /**
   * The profile of a principal, made on first sight for those that came by the command line or an unattended installation.
   * @throws `error.user.not_found` when they were deleted meanwhile
   */
  ensure(principal: Principal): Promise<ProfileRow>
  /** Copies state, role and address after the kernel changed them. */
  follow(principal: Principal): Promise<void>
  /** Somebody has or has had the name. */
  isTaken(usernameLower: string, exceptId?: number): Promise<boolean>
}

/** SHA-256 of an address, as avatar services want it. */
export const emailHash = (email: string): string => createHash('sha256').update(email.trim().toLowerCase()).digest('hex')

/** Profiles beside the kernel's principals. */
export function createProfiles(ctx: ServerContext<AccountTables>, markdown: Pick<Markdown, 'urlTitle'>): Profiles {
  const find = (id: number) => one(ctx.db.query, id)

  const isTaken = async (usernameLower: string, exceptId = 0): Promise<boolean> => {
    const row = await personNamed(ctx.db.query, usernameLower).executeTakeFirst()
    return row !== undefined && row.person_id !== exceptId
  }

  const create: Profiles['create'] = (principal, wished, values = {}) =>
    ctx.db.write(async (tx) => {
      const name = Array.from(displayName(wished)).slice(0, 30).join('') || `user${principal.id}`
      for (let attempt = 1; ; attempt++) {
        const username = await freeUsername(values.username ?? name, markdown.urlTitle(values.username ?? name), {
          byAdmin: values.byAdmin ?? principal.role === roles.admin,
          taken: isTaken,
          random: () =>
            ctx.host
              .random(3)
              .toLowerCase()
              .replace(/[^a-z0-9]/g, '0'),
        })
        const row = {
          id: principal.id,
          username,
          username_lower: username.toLowerCase(),
          display_name: name,
          display_lower: name.toLowerCase(),
          ...ofPrincipal(principal),
          avatar_type: '',
          rank: values.rank ?? 0,
          created_at: principal.createdAt,
        }
        try {
          // A part of its own, which alone is undone when somebody else is quicker with the same name.
          await ctx.db.write(async (part) => {
            await takeName(part, principal.id, username, 0)
            await part.insertInto('accounts__profile').values(row).execute()
          })
          if (row.rank > 0)
            await tx
              .insertInto('accounts__reputation')
              .values({ person_id: row.id, delta: row.rank, reason: ledgerOnly.start, object_id: '', created_at: ctx.now() })
              .execute()
          break
        } catch (error) {
          const isTakenNow = isCodedError(error) && error.code === accountErrors.username_duplicate.code
          if (!isTakenNow || attempt === MOST_NAMES) throw error
        }
      }
      return (await one(tx, principal.id)) as ProfileRow
    })

  return {
    find,
    isTaken,
    create,
    findByUsername: (username) =>
      ctx.db.query
        .selectFrom('accounts__profile')
        .select(profileColumns)
        .where('id', '=', personNamed(ctx.db.query, username))
        .executeTakeFirst(),
    ensure: async (principal) =>
      (await find(principal.id)) ??
      ctx.db.write(async () => {
        // Held: somebody deleted meanwhile gets no profile again, and nobody two.
        const present = await held(ctx, principal.id)
        if (!present || present.state === 'deleted') throw accountErrors.not_found({ id: principal.id })
        const made = await find(principal.id)
        return made ?? create(present, present.login.split('@')[0] ?? '', { rank: present.state === 'inactive' ? 0 : 1 })
      }),
    async follow(principal) {
      await ctx.db.write(async (tx) => {
        await tx.updateTable('accounts__profile').set(ofPrincipal(principal)).where('id', '=', principal.id).execute()
        await ctx.emit(accountEvents.profileChanged, { id: principal.id })
      })
    },
  }
}

const ofPrincipal = (principal: Principal) => ({
  email: principal.login,
  email_hash: emailHash(principal.login),
  state: principal.state,
  role: principal.role,
})

function one(db: Kysely<AccountTables>, id: number): Promise<ProfileRow | undefined> {
  return db.selectFrom('accounts__profile').select(profileColumns).where('id', '=', id).executeTakeFirst()
}
