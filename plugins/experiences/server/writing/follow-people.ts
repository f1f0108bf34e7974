import type { ServerContext } from '@stoa/sdk/server'
import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../../accounts/shared/api.ts'
import { accountHooks } from '../../../accounts/shared/api.ts'
import { touched } from '../../../search/shared/api.ts'
import { experienceEvents, postStatus } from '../../shared/api.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { createModeration } from './moderation.ts'

type Moderation = Pick<ReturnType<typeof createModeration>, 'setStatus'>

/** Posts whose texts are in memory at a time. */
const BATCH = 100

/** Deletes the posts of somebody whose deletion takes their content along, and what they have opened; in its transaction. */
export function followPeople(ctx: ServerContext<Tables>, moderation: Moderation): void {
  ctx.on(accountHooks.removeContent, async (personId) => {
    await forgetOpened(ctx, personId)
    await removeAll(ctx, moderation, personId)
  })
  ctx.on(accountHooks.removeWriting, (personId) => removeAll(ctx, moderation, personId))
}

async function forgetOpened(ctx: ServerContext<Tables>, personId: number): Promise<void> {
  await ctx.db.write((tx) => tx.deleteFrom('experiences__opened').where('person_id', '=', personId).execute())
}

async function removeAll(ctx: ServerContext<Tables>, moderation: Moderation, personId: number): Promise<void> {
  const rows = await ctx.db.query
    .selectFrom('experiences__post')
    .select(postColumns)
    .where('author_id', '=', personId)
    .where('status', '!=', postStatus.deleted)
    .orderBy('id')
    .execute()
  for (const row of rows) await moderation.setStatus(row, 'deleted', ctx.host.request()?.person ?? null)
}

/** Posts of a person and what they have opened; posts that stay are by nobody. */
export function personalPosts(ctx: ServerContext<Tables>, moderation: Moderation): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('experiences__post')
          .innerJoin('experiences__body', 'post_id', 'id')
          .select(['id', 'status', 'created_at', 'edited_at', 'title', 'content'])
          .where('author_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'posts',
          rows.map(({ id, ...row }) => ({ id: ctx.ids.encode('experience', id), ...row })),
        )
      }
      const opened = await ctx.db.query
        .selectFrom('experiences__opened')
        .select(['post_id', 'at'])
        .where('person_id', '=', personId)
        .orderBy('at')
        .execute()
      await archive.records(
        'opened',
        opened.map(({ post_id, at }) => ({ id: ctx.ids.encode('experience', post_id), at })),
      )
    },
    async erase({ personId, standInId, removesContent }) {
      await forgetOpened(ctx, personId)
      const ids = { from: personId, to: standInId }
      await replaceNumber(ctx.db, { ...ids, table: 'experiences__post', key: 'id', columns: ['author_id', 'editor_id', 'answerer_id'] })
      await replaceNumber(ctx.db, { ...ids, table: 'experiences__act', key: 'post_id', columns: ['person_id'] })
      await ctx.db.write(async (tx) => {
        if (removesContent) await removeAll(ctx, moderation, standInId)
        const rows = await tx.selectFrom('experiences__post').select('id').where('author_id', '=', standInId).execute()
        for (const { id: n } of rows) {
          await ctx.emit(experienceEvents.changed, { n })
          await ctx.emit(touched, { kind: 'experience', n })
        }
      })
    },
  }
}
