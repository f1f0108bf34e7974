import type { Static } from '@stoa/sdk/schema'
import { read } from '@stoa/sdk/server'
import type * as schemas from '../shared/schemas.ts'

/** Reads behind this plugin's own calls. */
export const badgeGroups = read<object, Static<typeof schemas.list.reply>>('badges.groups')
export const badgeInfo = read<{ id: string }, Static<typeof schemas.info.reply>>('badges.info')
export const awardsPage = read<Static<typeof schemas.awards.query>, Static<typeof schemas.awards.reply>>('badges.awardsPage')
export const badgesOfPerson = read<{ username: string }, Static<typeof schemas.personal.reply>>('badges.ofPerson')
export const recentBadges = read<{ username: string }, Static<typeof schemas.recent.reply>>('badges.recent')
export const unseenAwards = read<object, Static<typeof schemas.unseen.reply>>('badges.unseen')
export const adminBadges = read<Static<typeof schemas.adminPage.query>, Static<typeof schemas.adminPage.reply>>('badges.adminPage')
