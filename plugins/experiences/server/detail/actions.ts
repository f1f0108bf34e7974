import type { ReadContext } from '@stoa/sdk/server'
import { takesSuggestions } from '../../../history/shared/api.ts'
import { permissionVerdicts } from '../../../site/shared/api.ts'
import type { ExperienceView } from '../../shared/api.ts'
import { postStatus } from '../../shared/api.ts'
import type { LastActs } from '../store/acts.ts'

export type MemberAction = ExperienceView['member_actions'][number]

interface Post {
  id: number
  author_id: number
  status: number
  show: number
  pin: number
}

/**
 * What the person who asks may do with a post, named in their language; nothing for visitors.
 * @param last what was done to its state, for its author
 */
export async function memberActions(ctx: ReadContext, post: Post, last: LastActs): Promise<MemberAction[]> {
  const { person } = ctx
  if (person?.state !== 'normal') return []
  const verdicts = await ctx.call(permissionVerdicts, {
    actions: ['report.add', 'edit', 'edit_without_review', 'delete', 'close', 'reopen', 'pin', 'unpin', 'hide', 'show', 'undeleted'].map(
      (name) => (name.includes('.') ? name : `experience.${name}`),
    ),
  })
  const may = (name: string) => verdicts[`experience.${name}`]?.allowed === true
  const isOwn = person.id === post.author_id
  // Authors change the state of their own posts until staff have the last word.
  const mayOwn = (side: 'closing' | 'deletion', name: string) => may(name) || (isOwn && !last[side]?.by_staff)
  const maySuggest = may('edit') && (await ctx.read(takesSuggestions, {}, { otherwise: false }))
  const isDeleted = post.status === postStatus.deleted
  const isUnlisted = post.show === 2
  const isPinned = post.pin === 2
  const offered: [string, MemberAction['type'], boolean][] = [
    ['report', 'reason', !isOwn && verdicts['report.add']?.allowed === true],
    ['edit', 'edit', !isDeleted && (isOwn || may('edit_without_review') || maySuggest)],
    ['close', 'confirm', post.status === postStatus.available && mayOwn('closing', 'close')],
    ['reopen', 'confirm', post.status === postStatus.closed && mayOwn('closing', 'reopen')],
    ['pin', 'confirm', !isDeleted && !isPinned && !isUnlisted && may('pin')],
    ['unpin', 'confirm', !isDeleted && isPinned && may('unpin')],
    ['hide', 'confirm', !isDeleted && !isPinned && !isUnlisted && may('hide')],
    ['show', 'confirm', !isDeleted && isUnlisted && may('show')],
    ['delete', 'confirm', !isDeleted && mayOwn('deletion', 'delete')],
    ['undelete', 'confirm', isDeleted && mayOwn('deletion', 'undeleted')],
  ]
  return offered
    .filter(([, , isOffered]) => isOffered)
    .map(([action, type]) => ({ action, name: ctx.text(`experience.action.${action}`), type }))
}
