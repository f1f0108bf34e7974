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
}

/** Null when the feature behind the tab is off. */
export type TabData = ProfilePost[] | null

interface Experience {
  experience_id: string
  title: string
  vote_count: number
  answer_count: number
  accepted_answer_id: string
  created_at: number
}
interface Answer {
  answer_id: string
  experience_id: string
  accepted: number
  vote_count: number
  create_time: number
  experience_info: { title: string }
}

const ofExperience = (row: Experience): ProfilePost => ({
  path: `/experiences/${row.experience_id}`,
  title: row.title,
  votes: row.vote_count,
  answers: row.answer_count,
  isAccepted: Number(row.accepted_answer_id) > 0,
  at: row.created_at,
})
const ofAnswer = (row: Answer): ProfilePost => ({
  path: `/experiences/${row.experience_id}/${row.answer_id}`,
  title: row.experience_info.title,
  votes: row.vote_count,
  answers: null,
  isAccepted: row.accepted === 2,
  at: row.create_time,
})

/** Lists of a person come from the features that keep them; one that is off leaves its list out, not the page. */
export async function loadTab({ get }: PageRequest, tab: Tab, username: string): Promise<TabData> {
  const query = { username, page: 1, page_size: tab === 'overview' ? 5 : 30, order: tab === 'overview' ? 'score' : 'newest' }
  try {
    if (tab === 'answers')
      return (await get<{ list: Answer[] | null }>('/answer/api/v1/personal/answer/page', { query })).list?.map(ofAnswer) ?? []
    return (await get<{ list: Experience[] | null }>('/answer/api/v1/personal/experience/page', { query })).list?.map(ofExperience) ?? []
  } catch {
    return null
  }
}
