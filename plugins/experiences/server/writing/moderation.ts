import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { reputation } from '../../../accounts/shared/api.ts'
import type { Permissions } from '../../../site/shared/api.ts'
import { experienceErrors, postStatus } from '../../shared/api.ts'
import type { PostStore } from '../store/post-store.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'
import { noSuchPost, postErrorsTable } from './errors.ts'

/** Reasons to close, by the protocol's numbers: duplicate, community-specific, needs clarity, something else. */
const duplicate = 60
const somethingElse = 59
export const closeReasons = [duplicate, 63, 64, somethingElse]

export type Operation = 'pin' | 'unpin' | 'hide' | 'show'

export interface ModerationNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  permissions: Permissions
  reputation: Wanted<typeof reputation>
}

/** What staff do with posts, and what authors do with their own. */
export function createModeration({ ctx, store, permissions, reputation }: ModerationNeeds) {
  const seen = async (person: Person, n: number | undefined): Promise<PostRow | undefined> => {
    const row = n === undefined ? undefined : await store.find(n)
    return row && mayView(person, { authorId: row.author_id, status: row.status }) ? row : undefined
  }

  const setStatus = async (row: PostRow, status: number, closing = { close_type: 0, close_message: '' }): Promise<void> => {
    await ctx.db.write(async (tx) => {
      await tx
        .updateTable('experiences__body')
        .set({ ...closing, closed_at: status === postStatus.closed ? ctx.now() : 0 })
        .where('post_id', '=', row.id)
        .execute()
      let before = status
      await store.change(row.id, (now) => {
        before = now.status
        return { status, ...(status === postStatus.deleted && { pin: 1 }) }
      })
      const counted = (value: number) => Number(value !== postStatus.deleted)
      const step = counted(status) - counted(before)
      if (step === 0) return
      // What the votes on the post brought and cost goes with it; answers are others' work, theirs stays.
      await reputation.current?.[step > 0 ? 'giveBack' : 'withdraw'](ctx.ids.encode('experience', row.id))
    })
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

    async close(person: Person, row: PostRow, type: number, message: string): Promise<void> {
      await permissions.require(person, 'experience.close')
      if (!closeReasons.includes(type)) throw postErrorsTable['report.not_found']({ type })
      if (type === duplicate && !isOwnAddress(message, ctx.site.url)) throw postErrorsTable['common.invalid_url']({ found: message })
      if (type === somethingElse && message.trim() === '') throw fieldErrors({ close_msg: 'experience.close_message_empty' })
      if (row.status !== postStatus.available) throw experienceErrors.cannot_close({ id: row.id })
      await setStatus(row, postStatus.closed, { close_type: type, close_message: message })
    },

    async reopen(person: Person, row: PostRow): Promise<void> {
      await permissions.require(person, 'experience.reopen')
      if (row.status === postStatus.closed) await setStatus(row, postStatus.available)
    },

    /** A pinned post cannot be hidden, a hidden one cannot be pinned. */
    async operate(person: Person, row: PostRow, operation: Operation): Promise<void> {
      await permissions.require(person, `experience.${operation}`)
      const isRefused =
        row.status === postStatus.deleted || (operation === 'pin' && row.show === 2) || (operation === 'hide' && row.pin === 2)
      if (isRefused) throw experienceErrors.cannot_update({ id: row.id })
      const change = { pin: { pin: 2 }, unpin: { pin: 1 }, hide: { show: 2 }, show: { show: 1 } }[operation]
      await store.change(row.id, change)
    },

    /** Authors may delete while nobody's good answer would go along. */
    async remove(person: Person, row: PostRow): Promise<void> {
      if (person.id !== row.author_id) await permissions.require(person, 'experience.delete')
      if (row.status === postStatus.deleted) throw experienceErrors.already_deleted({ id: row.id })
      const isNeeded = row.accepted_answer > 0 || row.answer_count > 1 || (row.answer_count === 1 && row.answer_votes > 0)
      if (isNeeded && !isStaff(person)) throw experienceErrors.cannot_deleted({ id: row.id })
      await setStatus(row, postStatus.deleted)
    },

    async recover(person: Person, row: PostRow): Promise<void> {
      await permissions.require(person, 'experience.undeleted')
      if (row.status === postStatus.deleted) await setStatus(row, postStatus.available)
    },

    /** From the admin's list: whatever it was before. */
    async setStatus(row: PostRow, status: 'available' | 'closed' | 'deleted'): Promise<void> {
      if (row.status !== postStatus[status]) await setStatus(row, postStatus[status])
    },
  }
}

function isOwnAddress(text: string, siteUrl: string): boolean {
  const url = URL.parse(text.trim())
  return url !== null && url.origin === new URL(siteUrl).origin
}
