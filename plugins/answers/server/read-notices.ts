import type { ReadContext } from '@stoa/sdk/server'
import { experienceCards, experiencePath, isListed } from '../../experiences/shared/api.ts'
import type { NoticeObject, ObjectName } from '../../notifications/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'
import { publicIds } from './public-ids.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

/** What notices say of answers: the title is that of the post. */
export async function fillNoticeObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view?: NoticeObject | null })[]): Promise<void> {
  const own = items.filter(({ kind }) => kind === 'answer')
  if (own.length === 0) return
  const rows = await ctx.db
    .selectFrom('answers__answer as a')
    .innerJoin('answers__text as t', 't.answer_id', 'a.id')
    .select(['a.id', 'a.experience', 'a.person_id', 'a.status', 't.excerpt'])
    .where('a.id', 'in', [...new Set(own.map(({ n }) => n))])
    .execute()
  const posts = await ctx.call(experienceCards, { ns: [...new Set(rows.map((row) => row.experience))] })
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const ids = await publicIds(ctx)
  for (const item of own) {
    const row = byNumber.get(item.n)
    const post = row && posts[row.experience]
    if (!row || !post) {
      item.view = null
      continue
    }
    const [id, experience] = [ids.answer(row.id), ids.experience(row.experience)]
    item.view = {
      id,
      type: 'answer',
      title: post.title,
      excerpt: row.excerpt,
      path: experiencePath(permalink, { id: experience, url_title: post.urlTitle }, id),
      map: { experience, answer: id, comment: '' },
      authorId: row.person_id,
      isShown: row.status === answerStatus.available && isListed(post),
    }
  }
}
