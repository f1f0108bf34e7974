import type { Principal, ServerContext, Wanted } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import type { uploadedFiles } from '../../uploads/shared/api.ts'
import type { PersonalData } from '../shared/api.ts'
import { accountErrors, accountHooks } from '../shared/api.ts'
import type { Holders } from './data-holders.ts'
import { held } from './held.ts'
import { takeName } from './names.ts'
import type { Profiles } from './profiles.ts'
import type { AccountTables } from './tables.ts'

/** Long enough for events that were on their way when somebody was erased. */
const AGAIN_SECONDS = 3600
/** Erasures of one run. */
const BATCH = 100

interface Tools {
  ctx: ServerContext<AccountTables>
  profiles: Profiles
  files: Wanted<typeof uploadedFiles>
  holders: Holders
}

const erase = job<Record<string, never>>('accounts.erase')

export interface Erasures {
  /**
   * Deletes somebody in the current transaction: their address, name and profile are gone at once, a stand-in without a name has what stays, and every
   * plugin that knows something of them forgets it in a job, or when it is on again.
   * @throws `error.user.not_found` when they were deleted meanwhile
   */
  begin(principal: Principal, removesContent: boolean): Promise<void>
}

export function createErasures(tools: Tools): Erasures {
  const { ctx, profiles, files, holders } = tools
  const noted = new Set<string>()

  /** Remembers who holds personal data, so that those are waited for that are off when somebody goes. */
  async function noteHolders(): Promise<void> {
    const added = holders().filter(({ slug }) => !noted.has(slug))
    if (added.length === 0) return
    await ctx.db.write((tx) =>
      tx
        .insertInto('accounts__data_holder')
        .values(added.map(({ slug }) => ({ slug })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
    for (const { slug } of added) noted.add(slug)
  }

  /** The profile of somebody who has none: the deleted one's, without anything that tells of them. @returns its number */
  async function standIn(principal: Principal): Promise<number> {
    const { id } = await ctx.host.credentials.create({ login: `stand-in-${ctx.host.random(12)}`, state: 'deleted' })
    await profiles.ensure(principal)
    let username = `user${id}`
    while (await profiles.isTaken(username))
      username = `user${id}-${ctx.host
        .random(3)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '0')}`
    const nothing = {
      email: '',
      email_hash: '',
      bio: '',
      bio_html: '',
      website: '',
      location: '',
      avatar_type: 'default',
      avatar_custom: '',
    }
    const unset = {
      language: 'Default',
      color_scheme: 'default',
      time_zone: '',
      last_login_at: 0,
      suspended_at: 0,
      suspended_until: 0,
      suspension_reason: '',
    }
    await ctx.db.write(async (tx) => {
      await tx.deleteFrom('accounts__name').where('person_id', '=', principal.id).execute()
      await takeName(tx, id, username, 0)
      // Behind the numbers of what was removed along with it.
      await ctx.db.beforeCommit(() =>
        tx
          .updateTable('accounts__profile')
          .set({ id, username, username_lower: username, display_name: username, display_lower: username, ...nothing, ...unset })
          .set({ state: 'deleted', role: 1, deleted_at: ctx.now() })
          .where('id', '=', principal.id)
          .execute(),
      )
    })
    return id
  }

  async function runOpen(): Promise<void> {
    await noteHolders()
    for (const { slug, service } of holders()) {
      const rows = await ctx.db.query
        .selectFrom('accounts__erasure')
        .selectAll()
        .where('slug', '=', slug)
        .where('done_at', '<=', ctx.now() - AGAIN_SECONDS)
        .orderBy('person_id')
        .limit(BATCH)
        .execute()
      for (const row of rows) {
        try {
          await runOne(service, row)
        } catch (error) {
          ctx.log.error('A plugin did not erase somebody; it is asked again', { plugin: slug, error: String(error) })
        }
      }
    }
  }

  async function runOne(
    service: Pick<PersonalData, 'erase'>,
    row: { person_id: number; slug: string; stand_in_id: number; removes_content: number; done_at: number },
  ): Promise<void> {
    const { person_id: personId, slug, stand_in_id: standInId, removes_content } = row
    await service.erase({ personId, standInId, removesContent: removes_content === 1 })
    await ctx.db.write(async (tx) => {
      if (row.done_at > 0) await tx.deleteFrom('accounts__erasure').where('person_id', '=', personId).where('slug', '=', slug).execute()
      else
        await tx
          .updateTable('accounts__erasure')
          .set({ done_at: ctx.now() })
          .where('person_id', '=', personId)
          .where('slug', '=', slug)
          .execute()
    })
  }

  ctx.jobs.handle(erase, runOpen)
  ctx.jobs.every('accounts.erase', 60, runOpen)

  return {
    async begin(principal, removesContent) {
      const { id } = principal
      await ctx.db.write(async (tx) => {
        const present = await held(ctx, id)
        if (!present || present.state === 'deleted') throw accountErrors.not_found({ id })
        if (removesContent) await ctx.run(accountHooks.removeContent, id)
        const avatar = (await profiles.find(id))?.avatar_custom
        if (avatar) await files.current?.remove(avatar)
        const stand_in_id = await standIn(principal)
        await ctx.host.credentials.erase(id)
        for (const table of ['accounts__mail_code', 'accounts__leaving'] as const)
          await tx.deleteFrom(table).where('person_id', '=', id).execute()
        const known = await tx.selectFrom('accounts__data_holder').select('slug').execute()
        const slugs = new Set([...known, ...holders()].map(({ slug }) => slug))
        const row = { person_id: id, stand_in_id, removes_content: Number(removesContent) }
        await tx
          .insertInto('accounts__erasure')
          .values([...slugs].map((slug) => ({ ...row, slug })))
          .execute()
        await ctx.jobs.enqueue(erase, {}, { key: erase.id })
      })
    },
  }
}
