import type { ReplyOf } from '@stoa/sdk'
import type { PageRequest } from '@stoa/sdk/web'
import type { accountCalls } from '../../shared/api.ts'

export const tabs = ['overview', 'experiences', 'answers'] as const
export type Tab = (typeof tabs)[number]

export type Profile = ReplyOf<typeof accountCalls.publicProfile>

/** A post or an answer on a profile. */
export interface ProfilePost {
  path: string
  title: string
  votes: number
  answers: number | null
  isAccepted: boolean
  at: number
  tags: { slug: string; name: string }[]
  /** Null for what everybody sees. */
  status: 'closed' | 'pending' | 'unlisted' | null
}

/** A page of them. */
export interface ProfileList {
  posts: ProfilePost[]
  total: number
  page: number
}

/** What a tab shows; without a list when the feature behind it is off. */
export type TabData = Partial<Record<'experiences' | 'answers', ProfileList>>

export const pageSize = 20

interface Tag {
  slug_name: string
  display_name: string
}
interface Experience {
  experience_id: string
  title: string
  vote_count: number
  answer_count: number
  accepted_answer_id: string
  created_at: number
  status: string
  tags: Tag[]
}
interface Answer {
  answer_id: string
  experience_id: string
  accepted: number
  vote_count: number
  create_time: number
  experience_info: { title: string; tags: Tag[] }
}

const marked = ['closed', 'pending', 'unlisted'] as const
const tagOf = (tag: Tag) => ({ slug: tag.slug_name, name: tag.display_name })
const ofExperience = (row: Experience): ProfilePost => ({
  path: `/experiences/${row.experience_id}`,
  title: row.title,
  votes: row.vote_count,
  answers: row.answer_count,
  isAccepted: Number(row.accepted_answer_id) > 0,
  at: row.created_at,
  tags: row.tags.map(tagOf),
  status: marked.find((status) => status === row.status) ?? null,
})
const ofAnswer = (row: Answer): ProfilePost => ({
  path: `/experiences/${row.experience_id}/${row.answer_id}`,
  title: row.experience_info.title,
  votes: row.vote_count,
  answers: null,
  isAccepted: row.accepted === 2,
  at: row.create_time,
  tags: row.experience_info.tags.map(tagOf),
  status: null,
})

interface Pages {
  experiences: { count: number; list: Experience[] | null }
  answers: { count: number; list: Answer[] | null }
}

/** Lists of a person come from the features that keep them. One that is off leaves its list out of the overview; its own tab is not found. */
export async function loadTab({ get, query }: PageRequest, tab: Tab, username: string): Promise<TabData> {
  const asked = Number(query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const path = '/answer/api/v1/personal'
  if (tab === 'overview') {
    const asking = get<{ experience: Experience[] | null; answer: Answer[] | null }>(`${path}/qa/top`, { query: { username } })
    const top = await asking.catch(() => undefined)
    return top ? { experiences: listOf((top.experience ?? []).map(ofExperience)), answers: listOf((top.answer ?? []).map(ofAnswer)) } : {}
  }
  const paged = { query: { username, page, page_size: pageSize, order: 'newest' }, allow404: true }
  if (tab === 'answers') {
    const { count, list } = await get<Pages['answers']>(`${path}/answer/page`, paged)
    return { answers: { posts: (list ?? []).map(ofAnswer), total: count, page } }
  }
  const { count, list } = await get<Pages['experiences']>(`${path}/experience/page`, paged)
  return { experiences: { posts: (list ?? []).map(ofExperience), total: count, page } }
}

const listOf = (posts: ProfilePost[]): ProfileList => ({ posts, total: posts.length, page: 1 })
