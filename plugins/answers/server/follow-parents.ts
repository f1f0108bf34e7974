import { accountHooks } from '../../accounts/shared/api.ts'
import { experienceEvents, experienceHooks, isListed, isLive } from '../../experiences/shared/api.ts'
import { hasUploads } from '../../uploads/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { removeAllOf } from './personal-data.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

const BATCH = 500
/** Answers whose texts are in memory at a time. */
const PAGE = 50

/**
 * Keeps `parent_listed` and what profiles count true to the public lists, pictures as public as the post, and removes what its author's deletion takes along.
 */
export function followParents(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(experienceHooks.listingChanged, ({ n, listed }) => setListed(capabilities, n, listed))
  ctx.on(experienceEvents.acted, async ({ n, act }) => {
    if (act === 'deleted' || act === 'undeleted') await holdPictures(capabilities, n)
  })
  ctx.plugin.onReturn(() => lookUpAll(capabilities))
  for (const hook of [accountHooks.removeContent, accountHooks.removeWriting])
    ctx.on(hook, (personId) => removeAllOf(capabilities, personId))
}

async function setListed({ ctx, people, threads }: Capabilities, experience: number, listed: boolean): Promise<void> {
  await ctx.db.write(async (tx) => {
    const rows = await tx
      .updateTable('answers__answer')
      .set({ parent_listed: Number(listed) })
      .where('experience', '=', experience)
      .where('parent_listed', '!=', Number(listed))
      .returning(['id', 'person_id', 'status'])
      .execute()
    for (const { id } of rows) await tellChanged(ctx, { n: id, experience })
    const standing = rows.filter(({ status }) => status === answerStatus.available)
    for (const { person_id } of standing) await people.count(person_id, 'answer_count', listed ? 1 : -1)
    await threads.current?.show(
      'answer',
      standing.map(({ id }) => id),
      listed,
    )
  })
}

/** Pictures of answers are seen by those who can see the answers: not below a post that was deleted. */
async function holdPictures(capabilities: Capabilities, experience: number): Promise<void> {
  const { ctx, files, posts } = capabilities
  await ctx.db.write(async (tx) => {
    const post = await posts.find(experience)
    const isOpen = post !== undefined && isLive(post)
    for (let after = 0; ; ) {
      const rows = await tx
        .selectFrom('answers__answer')
        .innerJoin('answers__text', 'answer_id', 'id')
        .select(['id', 'person_id', 'status', 'html'])
        .where('experience', '=', experience)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      for (const { id, person_id, status, html } of rows)
        if (hasUploads(html))
          await files.current?.hold({ kind: 'answer', n: id, authorId: person_id }, html, status === answerStatus.available && isOpen)
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = last.id
    }
  })
}

async function lookUpAll(capabilities: Capabilities): Promise<void> {
  const { ctx, posts } = capabilities
  for (let after = 0; !ctx.plugin.signal.aborted; ) {
    const parents = await ctx.db.query
      .selectFrom('answers__answer')
      .select(['experience'])
      .distinct()
      .where('experience', '>', after)
      .orderBy('experience')
      .limit(BATCH)
      .execute()
    const ns = parents.map((row) => row.experience)
    const last = ns.at(-1)
    if (last === undefined) return
    after = last
    for (const n of ns)
      await ctx.db.write(async () => {
        await posts.hold(n)
        const post = await posts.find(n)
        await setListed(capabilities, n, post !== undefined && isListed(post))
      })
  }
}
