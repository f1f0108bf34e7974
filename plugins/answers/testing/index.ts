import type { Site, TestPerson } from '@stoa/sdk/testing'
import { posted } from '../../experiences/testing/index.ts'

const path = '/answer/api/v1/answer'
let running = 0

/** Answers an experience; the text is one that no other answer of the test run has. */
export function answer(person: TestPerson, experience: string, content?: string) {
  running += 1
  return person.post<{
    info: { id: string; html: string; accepted: number; member_actions: { action: string }[] }
    experience: Record<string, unknown>
  }>(path, {
    experience_id: experience,
    content: content ?? `It went well for me the ${running}th time.`,
  })
}

/** Answers and must succeed. @returns the answer's id */
export async function answered(person: TestPerson, experience: string, content?: string): Promise<string> {
  const reply = await answer(person, experience, content)
  if (reply.status !== 200) throw new Error(`${person.name} could not answer: ${reply.status} ${reply.text}`)
  return reply.data.info.id
}

export function accept(person: TestPerson, experience: string, answerId: string) {
  return person.post(`${path}/acceptance`, { experience_id: experience, answer_id: answerId })
}

/** Ids of the answers of an experience as somebody sees them. */
export async function answersOf(person: TestPerson, experience: string, order = 'default'): Promise<string[]> {
  const { data } = await person.get<{ list: { id: string }[] }>(`${path}/page`, {
    experience_id: experience,
    order,
    page: 1,
    page_size: 999,
  })
  return data.list.map((item) => item.id)
}

/** What the detail says of an experience. */
export async function detailOf(person: TestPerson, experience: string): Promise<Record<string, unknown>> {
  return (await person.get('/answer/api/v1/experience/info', { id: experience })).data
}

/** Reputation of a member as everybody sees it. */
export async function rankOf(site: Site, person: TestPerson): Promise<number> {
  const { data } = await site.visitor().get<{ rank: number }>('/answer/api/v1/personal/user/info', { username: person.name })
  return data.rank
}

/** An experience of one person with an answer of another. */
export async function answeredExperience(asker: TestPerson, answerer: TestPerson): Promise<{ experience: string; answer: string }> {
  const experience = await posted(asker)
  return { experience, answer: await answered(answerer, experience) }
}
