import type { Reply, TestPerson } from '@stoa/sdk/testing'

/** Bookmarks an object, or takes the bookmark away. */
export function bookmark(person: TestPerson, object: string, isOn = true): Promise<Reply<{ object_collection_count: number }>> {
  return person.post('/answer/api/v1/collection/switch', { object_id: object, group_id: '0', bookmark: isOn })
}

/** Ids of somebody's bookmarks, in the order of the call. */
export async function bookmarksOf(person: TestPerson): Promise<{ count: number; ids: string[] }> {
  const { data } = await person.get<{ count: number; list: { id: string }[] }>('/answer/api/v1/personal/collection/page', {
    page: 1,
    page_size: 50,
  })
  return { count: data.count, ids: data.list.map(({ id }) => id) }
}
