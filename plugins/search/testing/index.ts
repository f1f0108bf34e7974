import type { TestPerson } from '@stoa/sdk/testing'

export interface Found {
  count: number
  list: {
    object_type: string
    object: { id: string; experience_id: string; title: string; excerpt: string; vote_count: number; accepted: boolean }
  }[]
}

/** `GET search` that must succeed. */
export async function search(person: TestPerson, q: string, more: Record<string, string | number> = {}): Promise<Found> {
  const reply = await person.get<Found>('/answer/api/v1/search', { q, ...more })
  if (reply.status !== 200) throw new Error(`Search for ${q}: ${reply.status} ${reply.text}`)
  return reply.data
}

/** Ids in the order of the results. */
export async function foundIds(person: TestPerson, q: string, more: Record<string, string | number> = {}): Promise<string[]> {
  return (await search(person, q, more)).list.map(({ object }) => object.id)
}
