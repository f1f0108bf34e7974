import type { ReadContext } from '@stoa/sdk/server'
import { permissionVerdicts } from '../../../site/shared/api.ts'
import type { ExperienceView } from '../../shared/api.ts'
import { postStatus } from '../../shared/api.ts'

export type MemberAction = ExperienceView['member_actions'][number]

interface Post {
  author_id: number
  status: number
  show: number
  pin: number
}

/** What the person who asks may do with a post, named in their language; nothing for visitors. */
export async function memberActions(ctx: ReadContext, post: Post): Promise<MemberAction[]> {
  const { person } = ctx
  if (person?.state !== 'normal') return []
  const verdicts = await ctx.call(permissionVerdicts, {
    actions: ['report.add', 'edit_without_review', 'delete', 'close', 'reopen', 'pin', 'unpin', 'hide', 'show', 'undeleted'].map((name) =>
      name.includes('.') ? name : `experience.${name}`,
    ),
  })
  const may = (name: string) => verdicts[`experience.${name}`]?.allowed === true
  const isOwn = person.id === post.author_id
  const isDeleted = post.status === postStatus.deleted
  const isUnlisted = post.show === 2
  const isPinned = post.pin === 2
  const offered: [string, MemberAction['type'], boolean][] = [
    ['report', 'reason', verdicts['report.add']?.allowed === true],
    ['edit', 'edit', !isDeleted && (isOwn || may('edit_without_review'))],
    ['close', 'confirm', post.status === postStatus.available && may('close')],
    ['reopen', 'confirm', post.status === postStatus.closed && may('reopen')],
    ['pin', 'confirm', !isDeleted && !isPinned && !isUnlisted && may('pin')],
    ['unpin', 'confirm', !isDeleted && isPinned && may('unpin')],
    ['hide', 'confirm', !isDeleted && !isPinned && !isUnlisted && may('hide')],
    ['show', 'confirm', !isDeleted && isUnlisted && may('show')],
    ['delete', 'confirm', !isDeleted && (isOwn || may('delete'))],
    ['undelete', 'confirm', isDeleted && may('undeleted')],
  ]
  return offered
    .filter(([, , isOffered]) => isOffered)
    .map(([action, type]) => ({ action, name: ctx.text(`experience.action.${action}`), type }))
}
