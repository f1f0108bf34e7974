import { read } from '@stoa/sdk/server'

/** Reads behind this plugin's own calls. */
export const publicProfile = read<{ username: string }, Record<string, unknown>>('accounts.publicProfile')
export const ranking = read<object, Record<string, RankingEntry[]>>('accounts.ranking')
export const peopleSearch = read<{ username: string }, unknown[]>('accounts.search')
export const staffSearch = read<{ username?: string; page_size?: number }, unknown[] | null>('accounts.staff')
export const adminPeople = read<AdminPeopleQuery, { count: number; list: unknown[] }>('accounts.adminPage')

export interface RankingEntry {
  username: string
  rank: number
  vote_count: number
  display_name: string
  avatar: string
}

export interface AdminPeopleQuery {
  page: number
  page_size: number
  status?: string
  staff?: boolean
  query?: string
}
