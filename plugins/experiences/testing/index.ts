import type { Reply, TestPerson } from '@stoa/sdk/testing'

const path = '/answer/api/v1/experience'
let running = 0

export interface Written {
  title?: string
  content?: string
  /** Names of tags; default one that staff make by using it. */
  tags?: string[]
}

/** A body of `POST experience` whose title no other post of the test run has. */
export function draft({ title, content, tags = ['travel'] }: Written = {}) {
  running += 1
  return {
    title: title ?? `Night train number ${running}`,
    content: content ?? `We took train **${running}** and woke up by the sea.`,
    tags: tags.map((name) => ({ slug_name: name, display_name: name, original_text: '' })),
  }
}

/** Posts an experience. @returns the reply of the call */
export function post(
  person: TestPerson,
  written: Written = {},
): Promise<Reply<{ id: string; title: string; url_title: string; [member: string]: unknown }>> {
  return person.post(path, draft(written))
}

/** Posts an experience that must succeed. @returns its id */
export async function posted(person: TestPerson, written: Written = {}): Promise<string> {
  const reply = await post(person, written)
  if (reply.status !== 200) throw new Error(`${person.name} could not post: ${reply.status} ${reply.text}`)
  return reply.data.id
}

/** Ids of a public list, in its order. */
export async function listed(person: TestPerson, query: Record<string, string | number> = {}): Promise<{ count: number; ids: string[] }> {
  const { data } = await person.get<{ count: number; list: { id: string }[] }>(`${path}/page`, { page: 1, page_size: 20, ...query })
  return { count: data.count, ids: data.list.map((item) => item.id) }
}
