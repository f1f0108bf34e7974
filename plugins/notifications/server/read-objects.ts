import type { ReadContext } from '@stoa/sdk/server'
import { read } from '@stoa/sdk/server'
import type { NoticeObject, ObjectName } from '../shared/api.ts'
import { noticeObjects } from '../shared/api.ts'

export interface ObjectView extends ObjectName {
  /** Null: gone; absent: nobody answers for its kind. */
  view?: NoticeObject | null
}

/** What objects are now, in the order of `names`. */
export const objectsOf = read<{ names: ObjectName[] }, ObjectView[]>('notifications.objectViews')

export async function readObjects(ctx: ReadContext, { names }: { names: ObjectName[] }): Promise<ObjectView[]> {
  const items: ObjectView[] = names.map(({ kind, n }) => ({ kind, n }))
  if (items.length > 0) await ctx.decorate(noticeObjects, items)
  return items
}

/** What is deleted, unlisted or waiting is named to its author alone. */
export const maySee = (view: NoticeObject, personId: number): boolean => view.isShown || view.authorId === personId
