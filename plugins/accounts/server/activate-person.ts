import type { Principal } from '@stoa/sdk/server'
import { uniqueOr } from '@stoa/sdk/server'
import { accountErrors, accountEvents } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { atField } from './account-tools.ts'

/**
 * Makes a person active, in the current transaction; the first time in their life they gain the first point of reputation.
 * @param email the address that was proven; it becomes theirs
 */
export async function activatePerson({ ctx, profiles, reputation }: AccountTools, principal: Principal, email: string): Promise<Principal> {
  if (email !== principal.login) {
    await refuseTaken(ctx, email, principal.id, 'e_mail')
    await ctx.host.credentials.setLogin(principal.id, email).catch(orTaken('e_mail'))
  }
  if (principal.state !== 'normal') await ctx.host.credentials.setState(principal.id, 'normal')
  const active: Principal = { ...principal, state: 'normal', login: email }
  const profile = await profiles.ensure(active)
  await profiles.follow(active)
  if (profile.rank === 0) {
    await reputation.change({ personId: principal.id, delta: 1, reason: 'user.activated', objectId: String(principal.id), capped: false })
    await ctx.emit(accountEvents.activated, { id: principal.id })
  }
  return active
}

/** For `catch`, behind what gives somebody an address: two may have been told at once that it is free. @throws `error.email.duplicate` at the field */
export const orTaken =
  (field: string) =>
  (error: unknown): never => {
    throw uniqueOr(error, { 'kernel__principal.login': () => atField(accountErrors.duplicate, field) })
  }

/** @throws `error.email.duplicate` at the field when somebody else has the address */
export async function refuseTaken(ctx: AccountTools['ctx'], email: string, ownId: number, field: string): Promise<void> {
  const other = await ctx.host.credentials.findByLogin(email)
  if (other && other.id !== ownId) throw atField(accountErrors.duplicate, field)
}
