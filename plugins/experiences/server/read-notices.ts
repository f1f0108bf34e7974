import type { ReadContext } from '@stoa/sdk/server'
import type { NoticeObject, ObjectName } from '../../notifications/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'
import { experiencePath, isListed } from '../shared/api.ts'
import { postIds } from './store/public-id.ts'
import { postRows } from './store/rows.ts'
import type { Tables } from './store/tables.ts'

/** What notices say of posts. */
export async function fillNoticeObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view?: NoticeObject | null })[]): Promise<void> {
  const own = items.filter(({ kind }) => kind === 'experience')
  if (own.length === 0) return
  const rows = await postRows(ctx.db, [...new Set(own.map(({ n }) => n))])
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const toId = await postIds(ctx)
  for (const item of own) {
    const row = byNumber.get(item.n)
    const id = toId(item.n)
    item.view = row
      ? {
          id,
          type: 'experience',
          title: row.title,
          excerpt: row.excerpt,
          path: experiencePath(permalink, { id, url_title: row.url_title }),
          map: { experience: id, answer: '0', comment: '' },
          authorId: row.author_id,
          isShown: isListed(row),
        }
      : null
  }
}
