import type { SeedContext } from '@stoa/sdk/seed'
import { defineSeeder, inBatches } from '@stoa/sdk/seed'
import type { Kysely } from 'kysely'
import type { SeededPosts } from '../../experiences/shared/api.ts'
import type { SeededFollowables } from '../../follows/shared/api.ts'
import { GROUP } from './post-groups.ts'
import { recountTags } from './relations.ts'
import { mostTags } from './slug.ts'
import type { Tables } from './tables.ts'

/** A vocabulary in both languages and one to five tags on each seeded post, few tags on very many. Runs behind whatever changes posts. */
export default defineSeeder({
  order: 46,
  async seed(context) {
    const db = context.db as Kysely<Tables>
    const posts = context.seeded<{ internal: SeededPosts }>('experiences').internal
    const first = (await context.lastId('tags__tag')) + 1
    const tags = await vocabulary(context, Math.min(400, 20 + Math.floor((posts?.size ?? 0) / 250)))
    for await (const some of posts?.each(db) ?? []) {
      const rows = some.flatMap(({ n, listed }) => {
        const chosen = new Set(
          Array.from(
            { length: 1 + Math.floor(mostTags * context.random() ** 2) },
            () => tags[Math.floor(tags.length * context.random() ** 2)] as number,
          ),
        )
        return [...chosen].map((tag_id, position) => ({ experience_id: n, tag_id, position, listed: Number(listed) }))
      })
      await context.insert('tags__relation', rows)
      await posts?.group(
        db,
        GROUP,
        [...Map.groupBy(rows, (row) => row.experience_id)].map(([n, tagged]) => ({ n, groups: tagged.map((row) => row.tag_id) })),
      )
    }
    await recountTags(db)
    context.log(`${tags.length} tags`)
    return { tags: tags.length, internal: followable(first) }
  },
})

/** The tags that were made, for who seeds their followers. */
const followable = (first: number): SeededFollowables => ({
  usual: { share: 0.9, most: 120 },
  each: (db) =>
    inBatches((db as Kysely<Tables>).selectFrom('tags__tag').select(['id', 'created_at']), first, (row) => ({
      n: row.id,
      createdAt: row.created_at,
    })),
  async addFollowers(db, amounts) {
    for (const [n, amount] of amounts) {
      await (db as Kysely<Tables>)
        .updateTable('tags__tag')
        .set((eb) => ({ follow_count: eb('follow_count', '+', amount) }))
        .where('id', '=', n)
        .execute()
    }
  },
})

/** Words by frequency, alternating between the languages. @returns ids, those of words that were tags before included */
async function vocabulary(context: SeedContext, size: number): Promise<number[]> {
  const { text, insert, now } = context
  const db = context.db as Kysely<Tables>
  const words = [
    ...new Set(Array.from({ length: size }, (_, rank) => text.word(rank % 2 === 0 ? 'zh' : 'en', Math.floor(rank / 2)).toLowerCase())),
  ]
  const known = new Map(
    (await db.selectFrom('tags__tag').select(['id', 'slug']).where('slug', 'in', words).execute()).map((row) => [row.slug, row.id]),
  )
  let id = await context.lastId('tags__tag')
  const rows = words
    .filter((word) => !known.has(word))
    .map((word) => {
      id += 1
      known.set(word, id)
      return { id, slug: word, display_name: word, display_lower: word, author_id: 1, created_at: now - 1000 + known.size, updated_at: now }
    })
  await insert('tags__tag', rows)
  await context.continueIds('tags__tag')
  return words.map((word) => known.get(word) as number)
}
