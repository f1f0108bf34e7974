import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { reputation } from '../../../accounts/shared/api.ts'
import type { staffLog } from '../../../audit/shared/api.ts'
import type { Permissions } from '../../../site/shared/api.ts'
import type { uploadedFiles } from '../../../uploads/shared/api.ts'
import { hasUploads } from '../../../uploads/shared/api.ts'
import type { PostAct } from '../../shared/api.ts'
import { experienceErrors, experienceEvents, postStatus } from '../../shared/api.ts'
import { lastActs, noteAct } from '../store/acts.ts'
import { closeReasons, duplicate, somethingElse } from '../store/close-reasons.ts'
import { setLinks } from '../store/link-store.ts'
import { postAtAddress } from '../store/links.ts'
import type { PostStore } from '../store/post-store.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'
import { noSuchPost, postErrorsTable } from './errors.ts'
import { logAct } from './staff-log.ts'

export type Operation = 'pin' | 'unpin' | 'hide' | 'show'

export interface ModerationNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  permissions: Permissions
  reputation: Wanted<typeof reputation>
  files: Wanted<typeof uploadedFiles>
  log: Wanted<typeof staffLog>
}

const { available, closed, deleted } = postStatus

/** What staff do with posts, and what authors do with their own. */
export function createModeration({ ctx, store, permissions, reputation, files, log }: ModerationNeeds) {
  const seen = async (person: Person, n: number | undefined): Promise<PostRow | undefined> => {
    const row = n === undefined ? undefined : await store.find(n)
    return row && mayView(person, { authorId: row.author_id, status: row.status }) ? row : undefined
  }

  /** Authors may do it to their own post unless staff had the last word on this side of its state; others need the permission. */
  const requireAct = async (person: Person, row: PostRow, side: 'closing' | 'deletion', permission: string): Promise<void> => {
    const isOwn = person.id === row.author_id
    if (isOwn && !(await lastActs(ctx.db.query, row.id))[side]?.by_staff) return
    await permissions.require(person, permission)
  }

  /** Moves a post to another status, with everything that hangs on it. */
  const move = async (row: PostRow, { to, person, closing, check }: StatusChange): Promise<void> => {
    await ctx.db.write(async (tx) => {
      const now = await store.locked(tx, row.id)
      if (!now || !check(now)) return
      const before = now.status
      const { html, closed_at } = await tx
        .selectFrom('experiences__body')
        .select(['html', 'closed_at'])
        .where('post_id', '=', row.id)
        .executeTakeFirstOrThrow()
      // A post that was deleted while it was closed comes back closed.
      const status = to === 'before' ? (closed_at > 0 ? closed : available) : to
      if (to === closed || status === available) {
        const { type = 0, message = '' } = closing ?? {}
        const values = { close_type: type, close_message: message, closed_at: to === closed ? ctx.now() : 0 }
        await tx.updateTable('experiences__body').set(values).where('post_id', '=', row.id).execute()
        const original = type === duplicate ? postAtAddress(message, ctx.site.url) : undefined
        await setLinks(ctx, row.id, 'duplicate', original === undefined ? [] : [original])
      }
      await store.change(row.id, { status, ...(status === deleted && { pin: 1 }) })
      await moveBelongings(row, html, Number(before === deleted) - Number(status === deleted))
      for (const act of actsBetween(before, status, to)) {
        const reason = act === 'closed' ? closing : undefined
        await noteAct(ctx, tx, row, act, person, reason)
        await logAct(ctx, log, { person, post: now, act, note: reason?.message })
      }
    })
  }

  /** What the votes on the post brought and cost goes and comes with it; answers are others' work, theirs stays. */
  const moveBelongings = async (row: PostRow, html: string, step: number): Promise<void> => {
    if (step === 0) return
    if (hasUploads(html)) await files.current?.hold({ kind: 'experience', n: row.id, authorId: row.author_id }, html, step > 0)
    await reputation.current?.[step > 0 ? 'giveBack' : 'withdraw'](ctx.ids.encode('experience', row.id))
  }

  /** The address of the original names a post of this site, another one, that the person may see. */
  const requireOriginal = async (person: Person, row: PostRow, address: string): Promise<void> => {
    const n = postAtAddress(address.trim(), ctx.site.url)
    if (n === row.id || !(await seen(person, n))) throw postErrorsTable['common.invalid_url']({ found: address })
  }

  return {
    /** The post, if the person may see it. */
    seen,

    /** The same. @throws `error.experience.not_found` */
    async visible(person: Person, n: number | undefined, id: string): Promise<PostRow> {
      const row = await seen(person, n)
      if (!row) throw noSuchPost(id)
      return row
    },

    /** Staff may also close what its author closed: from then on it is theirs to reopen. */
    async close(person: Person, row: PostRow, type: number, message: string): Promise<void> {
      await requireAct(person, row, 'closing', 'experience.close')
      if (!closeReasons.includes(type)) throw postErrorsTable['report.not_found']({ type })
      if (type === duplicate) await requireOriginal(person, row, message)
      if (type === somethingElse && message.trim() === '') throw fieldErrors({ close_msg: 'experience.close_message_empty' })
      const takesOver = person.id !== row.author_id && (await lastActs(ctx.db.query, row.id)).closing?.by_staff === 0
      const check = ({ id, status }: PostRow) => {
        if (status !== available && !(takesOver && status === closed)) throw experienceErrors.cannot_close({ id })
        return true
      }
      await move(row, { to: closed, person, closing: { type, message: message.trim() }, check })
    },

    async reopen(person: Person, row: PostRow): Promise<void> {
      await requireAct(person, row, 'closing', 'experience.reopen')
      await move(row, { to: available, person, check: ({ status }) => status === closed })
    },

    /** A pinned post cannot be hidden, a hidden one cannot be pinned. */
    async operate(person: Person, row: PostRow, operation: Operation): Promise<void> {
      await permissions.require(person, `experience.${operation}`)
      await ctx.db.write(async (tx) => {
        const now = await store.locked(tx, row.id)
        const isRefused =
          !now || now.status === deleted || (operation === 'pin' && now.show === 2) || (operation === 'hide' && now.pin === 2)
        if (isRefused) throw experienceErrors.cannot_update({ id: row.id })
        const change = { pin: { pin: 2 }, unpin: { pin: 1 }, hide: { show: 2 }, show: { show: 1 } }[operation]
        if (Object.entries(change).every(([column, value]) => now[column as 'pin' | 'show'] === value)) return
        await store.change(row.id, change)
        await noteAct(ctx, tx, row, operation, person)
        await logAct(ctx, log, { person, post: now, act: operation })
      })
    },

    /** Authors may delete while nobody's good answer would go along. */
    async remove(person: Person, row: PostRow): Promise<void> {
      await requireAct(person, row, 'deletion', 'experience.delete')
      const check = ({ id, status, accepted_answer, answer_count, answer_votes }: PostRow) => {
        if (status === deleted) throw experienceErrors.already_deleted({ id })
        const isNeeded = accepted_answer > 0 || answer_count > 1 || (answer_count === 1 && answer_votes > 0)
        if (isNeeded && !isStaff(person)) throw experienceErrors.cannot_deleted({ id })
        return true
      }
      await move(row, { to: deleted, person, check })
    },

    /** A post that was closed when it was deleted is closed again. */
    async recover(person: Person, row: PostRow): Promise<void> {
      await requireAct(person, row, 'deletion', 'experience.undeleted')
      await move(row, { to: 'before', person, check: ({ status }) => status === deleted })
    },

    /** Publishes a post that waits. @returns false when it does not */
    publish: (n: number): Promise<boolean> =>
      ctx.db.write(async (tx) => {
        const row = await store.locked(tx, n)
        if (row?.status !== postStatus.pending) return false
        const { html } = await tx.selectFrom('experiences__body').select('html').where('post_id', '=', n).executeTakeFirstOrThrow()
        await store.change(n, { status: available, active_at: ctx.now() })
        if (hasUploads(html)) await files.current?.hold({ kind: 'experience', n, authorId: row.author_id }, html, true)
        await ctx.emit(experienceEvents.created, { n, authorId: row.author_id })
        return true
      }),

    /** Deletes a post that waits, by the site. @returns false when it does not */
    reject: (n: number): Promise<boolean> =>
      ctx.db.write(async (tx) => {
        const row = await store.locked(tx, n)
        if (row?.status !== postStatus.pending) return false
        await move(row, { to: deleted, person: null, check: () => true })
        return true
      }),

    /** From the admin's list: whatever it was before. `person` null: the site itself. */
    async setStatus(row: PostRow, status: 'available' | 'closed' | 'deleted', person: Person | null): Promise<void> {
      const to = postStatus[status]
      await move(row, { to, person, check: (now) => now.status !== to })
    },
  }
}

interface StatusChange {
  /** `before`: what it was when it was deleted. */
  to: number | 'before'
  person: Person | null
  closing?: { type: number; message: string }
  /** Looks at the row as it is in the transaction: false when there is nothing to do, an error when it may not be done. */
  check(now: PostRow): boolean
}

/** What happened, in the words of the timeline; closing anew is closing. */
function actsBetween(before: number, after: number, to: StatusChange['to']): PostAct[] {
  if (after === deleted) return ['deleted']
  const acts: PostAct[] = before === deleted ? ['undeleted'] : []
  if (to === closed) acts.push('closed')
  if (after === available && before === closed) acts.push('reopened')
  return acts
}
