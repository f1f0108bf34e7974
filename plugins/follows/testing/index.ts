import type { Reply, TestPerson } from '@stoa/sdk/testing'

/** Follows an object, or stops following it. */
export function follow(person: TestPerson, object: string, isCancel = false): Promise<Reply<{ follows: number; is_followed: boolean }>> {
  return person.post('/answer/api/v1/follow', { object_id: object, is_cancel: isCancel })
}

/** Makes the tags that somebody follows exactly these. */
export function followTags(person: TestPerson, ...names: string[]): Promise<Reply<null>> {
  return person.put('/answer/api/v1/follow/tags', { slug_name_list: names })
}

/** Names of the tags that somebody follows. */
export async function followedTags(person: TestPerson): Promise<string[]> {
  const { data } = await person.get<{ slug_name: string }[]>('/answer/api/v1/tags/following')
  return data.map((tag) => tag.slug_name)
}
