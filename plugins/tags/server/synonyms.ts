import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { follows } from '../../follows/shared/api.ts'
import type { SiteSettings } from '../../site/shared/api.ts'
import { tagEvents } from '../shared/api.ts'
import { tagRefusals } from './errors.ts'
import { followTag } from './owner-lists.ts'
import type { PostGroups } from './post-groups.ts'
import { recountTags } from './relations.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { heldTags } from './tag-rows.ts'
import type { TagStore, TagText } from './tag-store.ts'

interface SynonymNeeds {
  ctx: ServerContext<Tables>
  settings: SiteSettings
  groups: PostGroups
  follows: Wanted<typeof follows>
}

/**
 * Makes the synonyms of a main tag exactly these. Posts and followers of a new synonym move to the main tag; a dropped one is a main tag again.
 * @throws `error.tag.cannot_update` for one that is none or deleted, `error.tag.cannot_set_synonym_as_itself`
 */
export async function setSynonyms(
  { ctx, settings, groups, follows }: SynonymNeeds,
  tags: TagStore,
  { id: mainId }: Pick<TagRow, 'id'>,
  names: TagText[],
  personId: number,
): Promise<void> {
  const rendered = new Map<TagText, string>()
  for (const name of names) rendered.set(name, await tags.render(name.text))
  await ctx.db.write(async (tx) => {
    const { dialect } = ctx.db
    const rows = await heldTags(tx, dialect)
      .where((eb) => eb.or([eb('id', '=', mainId), ...names.map(({ slug }) => eb('slug', '=', slug))]))
      .execute()
    const main = rows.find(({ id }) => id === mainId) as TagRow
    if (main.main_id > 0 || main.status === tagStatus.deleted) throw tagRefusals.cannot_update({ name: main.slug })
    if (names.some(({ slug }) => slug === main.slug)) throw tagRefusals.cannot_set_synonym_as_itself({ name: main.slug })
    // And their synonyms: a post that is being written with one of those gets its main tag.
    await heldTags(tx, dialect)
      .where(
        'main_id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
    const known = new Map(rows.map((row) => [row.slug, row]))
    const ids: number[] = []
    for (const name of names) {
      const row = known.get(name.slug)
      ids.push(row?.status === tagStatus.available ? row.id : await tags.create({ ...name, parsed: rendered.get(name) }, personId))
    }
    await tx.updateTable('tags__tag').set({ main_id: 0 }).where('main_id', '=', main.id).execute()
    if (ids.length > 0) {
      await tx
        .updateTable('tags__tag')
        .set({ main_id: main.id })
        .where((eb) => eb.or([eb('id', 'in', ids), eb('main_id', 'in', ids)]))
        .execute()
      await follows.current?.move('tag', ids, main.id)
      const moved = await tx.selectFrom('tags__relation').select(['experience_id', 'tag_id']).where('tag_id', 'in', ids).execute()
      for (const { experience_id, tag_id } of moved) {
        const there = await tx
          .selectFrom('tags__relation')
          .select('tag_id')
          .where('experience_id', '=', experience_id)
          .where('tag_id', '=', main.id)
          .executeTakeFirst()
        const relation = { experience_id, tag_id }
        if (there)
          await tx
            .deleteFrom('tags__relation')
            .where('experience_id', '=', relation.experience_id)
            .where('tag_id', '=', relation.tag_id)
            .execute()
        else
          await tx
            .updateTable('tags__relation')
            .set({ tag_id: main.id })
            .where('experience_id', '=', relation.experience_id)
            .where('tag_id', '=', relation.tag_id)
            .execute()
      }
      await recountTags(tx, [main.id, ...ids])
      await groups.tell(tx, [...new Set(moved.map((row) => row.experience_id))])
      for (const { slug } of names) await followTag(settings, slug, null)
    }
    for (const n of [main.id, ...ids]) await ctx.emit(tagEvents.changed, { n })
  })
}
