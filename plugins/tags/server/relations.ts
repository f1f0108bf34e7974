import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { TagChoice } from '../../experiences/shared/api.ts'
import { experienceCards, isListed } from '../../experiences/shared/api.ts'
import { renderedTexts } from './choice.ts'
import { listRefusals } from './errors.ts'
import type { PostGroups } from './post-groups.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import { tagsInUse } from './tag-rows.ts'
import type { TagStore } from './tag-store.ts'

const counting = statement((db: Kysely<Tables>, { id, step }: { id: number; step: number }) =>
  db
    .updateTable('tags__tag')
    .set((eb) => ({ experience_count: eb('experience_count', '+', step) }))
    .where('id', '=', id),
)
const tagsBefore = statement((db: Kysely<Tables>, { n }: { n: number }) =>
  db.selectFrom('tags__relation').select(['tag_id', 'listed']).where('experience_id', '=', n),
)
const storing = statement((db: Kysely<Tables>, relation: { experience_id: number; tag_id: number; position: number; listed: number }) =>
  db.insertInto('tags__relation').values(relation),
)

/** Which posts carry which tags, and how many of them are public. Everything runs in the transaction of whoever changes the post. */
export function createRelations(ctx: ServerContext<Tables>, tags: TagStore, groups: PostGroups) {
  /** In the order of their numbers, as every writer does it: two that want the same tags do not wait for each other. */
  const count = async (tx: Kysely<Tables>, gone: number[], come: number[]): Promise<void> => {
    const steps = new Map(gone.map((id) => [id, -1]))
    for (const id of come) steps.set(id, (steps.get(id) ?? 0) + 1)
    for (const id of [...steps.keys()].sort((a, b) => a - b)) {
      const step = steps.get(id) as number
      if (step !== 0) await counting(tx, { id, step })
    }
  }

  return {
    /** These posts are gone for good. Deleted ones stood in no public list, so no count changes. */
    async forget(ns: readonly number[]): Promise<void> {
      await ctx.db.write((tx) => tx.deleteFrom('tags__relation').where('experience_id', 'in', ns).execute())
    },

    /** Makes the tags of post `n` exactly these, creating what is new. `created`: it had none before. */
    async set(
      { n, listed, created }: { n: number; listed: boolean; created: boolean },
      choices: TagChoice[],
      personId: number,
    ): Promise<void> {
      await ctx.db.write(async (tx) => {
        const inUse = (slugs: string[]) => tagsInUse(tx, ctx.db.dialect, slugs)
        const known = await inUse(choices.map((choice) => choice.slug_name))
        const ids: number[] = []
        for (const choice of choices) {
          const row = known.get(choice.slug_name)
          if (row?.status === tagStatus.available) {
            ids.push(row.main_id || row.id)
            continue
          }
          const parsed = renderedTexts.get(choice)
          // A deleted one that was there when the post was checked: nobody asked whether its author may bring it back.
          if (row && parsed === undefined) throw listRefusals.unknown('tags', [choice.slug_name])
          ids.push(
            await tags
              .create(
                { slug: choice.slug_name, displayName: choice.display_name ?? '', text: choice.original_text ?? '', parsed },
                personId,
              )
              // Somebody else was quicker with the same new tag: it is the one that was meant.
              .catch(async (error: unknown) => {
                const made = (await inUse([choice.slug_name])).get(choice.slug_name)
                if (made?.status !== tagStatus.available) throw error
                return made.main_id || made.id
              }),
          )
        }
        const before = created ? [] : await tagsBefore(tx, { n })
        if (before.length > 0) await tx.deleteFrom('tags__relation').where('experience_id', '=', n).execute()
        const unique = [...new Set(ids)]
        for (const [position, tag_id] of unique.entries()) await storing(tx, { experience_id: n, tag_id, position, listed: Number(listed) })
        await groups.put(n, unique)
        const gone = before.filter((row) => row.listed === 1).map((row) => row.tag_id)
        await count(tx, gone, listed ? unique : [])
      })
    },

    /** The post entered or left the public lists. */
    async list(n: number, listed: boolean): Promise<void> {
      await ctx.db.write(async (tx) => {
        const rows = await tx
          .selectFrom('tags__relation')
          .select('tag_id')
          .where('experience_id', '=', n)
          .where('listed', '=', Number(!listed))
          .execute()
        await tx
          .updateTable('tags__relation')
          .set({ listed: Number(listed) })
          .where('experience_id', '=', n)
          .execute()
        const ids = rows.map((row) => row.tag_id)
        await count(tx, listed ? [] : ids, listed ? ids : [])
      })
    },

    /** Brings everything up to date with posts that changed while this plugin was off. */
    async recount(): Promise<void> {
      for (let after = 0; ; ) {
        const rows = await ctx.db.query
          .selectFrom('tags__relation')
          .select(['experience_id'])
          .distinct()
          .where('experience_id', '>', after)
          .orderBy('experience_id')
          .limit(500)
          .execute()
        const last = rows.at(-1)
        if (!last) break
        after = last.experience_id
        const cards = await ctx.read(experienceCards, { ns: rows.map((row) => row.experience_id) })
        const listed = Object.values(cards)
          .filter(isListed)
          .map((post) => post.n)
        const hidden = rows.map((row) => row.experience_id).filter((n) => !listed.includes(n))
        await ctx.db.write(async (tx) => {
          for (const [ns, value] of [
            [listed, 1],
            [hidden, 0],
          ] as const) {
            if (ns.length > 0)
              await tx
                .updateTable('tags__relation')
                .set({ listed: value })
                .where('experience_id', 'in', ns)
                .where('listed', '!=', value)
                .execute()
          }
        })
      }
      await ctx.db.write((tx) => recountTags(tx))
    },
  }
}

/** Counts public posts anew, of all tags or of some. */
export async function recountTags(tx: Kysely<Tables>, ids?: number[]): Promise<void> {
  let query = tx.updateTable('tags__tag').set((eb) => ({
    experience_count: eb
      .selectFrom('tags__relation')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('tags__relation.tag_id', '=', 'tags__tag.id')
      .where('tags__relation.listed', '=', 1)
      .$asScalar()
      .$notNull(),
  }))
  if (ids) query = query.where('id', 'in', ids)
  await query.execute()
}
