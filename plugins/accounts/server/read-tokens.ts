import type { Static } from '@stoa/sdk/schema'
import { read } from '@stoa/sdk/server'
import type * as schemas from '../shared/schemas.ts'

export type RankingEntry = Static<typeof schemas.rankingEntry>
export type Ranking = Static<typeof schemas.ranking.reply>
export type StaffQuery = Static<typeof schemas.searchStaff.query>
export type Staff = Static<typeof schemas.searchStaff.reply>
export type DirectoryQuery = Static<typeof schemas.directory.query>
export type Directory = Static<typeof schemas.directory.reply>
export type AdminPeopleQuery = Static<typeof schemas.adminPage.query>
export type AdminPeople = Static<typeof schemas.adminPage.reply>

/** Reads behind this plugin's own calls. */
export const publicProfile = read<{ username: string }, Static<typeof schemas.publicProfile.reply>>('accounts.publicProfile')
export const ranking = read<object, Ranking>('accounts.ranking')
export const reputationPage = read<Static<typeof schemas.reputation.query>, Static<typeof schemas.reputation.reply>>(
  'accounts.reputationPage',
)
export const reputationDifferences = read<object, Static<typeof schemas.reputationCheck.reply>>('accounts.reputationDifferences')
export const directory = read<DirectoryQuery, Directory>('accounts.directory')
export const staffSearch = read<StaffQuery, Staff>('accounts.staff')
export const adminPeople = read<AdminPeopleQuery, AdminPeople>('accounts.adminPage')
