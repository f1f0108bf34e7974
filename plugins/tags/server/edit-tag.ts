import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { history, Revisable } from '../../history/shared/api.ts'
import type { Permissions } from '../../site/shared/api.ts'
import { noSuchTag, tagRefusals } from './errors.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { tagById } from './tag-rows.ts'
import type { TagStore } from './tag-store.ts'

interface Needs {
  permissions: Permissions
  history: Wanted<typeof history>
}

/** How somebody may edit a tag: staff and people of much reputation at once, others by a suggestion. While one waits, only staff may. */
export async function requireEdit({ permissions, history }: Needs, person: Person, row: TagRow): Promise<'direct' | 'suggestion'> {
  const isDirect = (await permissions.may(person, 'tag.edit_without_review')).allowed
  if (!isDirect) await permissions.require(person, history.current ? 'tag.edit' : 'tag.edit_without_review')
  if (row.status === tagStatus.deleted) throw tagRefusals.cannot_update({ name: row.slug })
  if (!isStaff(person)) await history.current?.refuseWaiting({ kind: 'tag', n: row.id })
  return isDirect ? 'direct' : 'suggestion'
}

/** Lets suggested edits of tags be taken: name and text, never the name in addresses. */
export function createRevisable(ctx: ServerContext<Tables>, tags: TagStore): Revisable {
  return {
    kind: 'tag',
    async prepare({ n, text, version, editorId, summary }) {
      const row = await tagById(ctx.db.query, n)
      if (!row || row.status === tagStatus.deleted) throw noSuchTag(n)
      const tag = { slug: row.slug, displayName: text.title, text: text.content }
      return tags.prepareRewrite(n, tag, { editorId, summary, base: version, isRecorded: true })
    },
  }
}
