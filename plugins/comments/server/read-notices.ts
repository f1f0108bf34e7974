import type { ReadContext } from '@stoa/sdk/server'
import { plainText } from '@stoa/sdk/server'
import type { NoticeObject, ObjectName } from '../../notifications/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'
import { ownComments } from '../shared/api.ts'
import type { Tables } from './tables.ts'
import { commentStatus } from './tables.ts'

const LONGEST = 240

/** What notices say of comments: the title is that of the post. */
export async function fillNoticeObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view?: NoticeObject | null })[]): Promise<void> {
  const own = items.filter(({ kind }) => kind === 'comment')
  if (own.length === 0) return
  const rows = await ctx.db
    .selectFrom('comments__comment')
    .select(['id', 'object_kind', 'object_n', 'experience', 'person_id', 'status', 'object_shown', 'parsed_text'])
    .where('id', 'in', [...new Set(own.map(({ n }) => n))])
    .execute()
  const parents = rows.map(({ object_kind, object_n, experience }) => ({
    kind: object_kind,
    n: object_n,
    experience,
    view: { experience_id: '', answer_id: '', title: '', url_title: '' },
  }))
  await ctx.decorate(ownComments, parents)
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const byNumber = new Map(rows.map((row, index) => [row.id, { row, parent: parents[index]?.view }]))
  for (const item of own) {
    const found = byNumber.get(item.n)
    const parent = found?.parent
    if (!parent?.experience_id) {
      item.view = null
      continue
    }
    const { row } = found as { row: (typeof rows)[number] }
    const id = ctx.ids.encode('comment', row.id)
    const title = permalink === 1 || permalink === 3 ? parent.url_title : ''
    const parts = ['/experiences', parent.experience_id, title, parent.answer_id].filter(Boolean)
    item.view = {
      id,
      type: 'comment',
      title: parent.title,
      excerpt: plainText(row.parsed_text).slice(0, LONGEST),
      path: `${parts.join('/')}?commentId=${id}#comment-${id}`,
      map: { experience: parent.experience_id, answer: parent.answer_id || '0', comment: id },
      authorId: row.person_id,
      isShown: row.status === commentStatus.available && row.object_shown === 1,
    }
  }
}
