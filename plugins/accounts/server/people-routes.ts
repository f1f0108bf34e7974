import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls, peopleNamed } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { directory, publicProfile, ranking, reputationPage, staffSearch } from './read-tokens.ts'

/** People as others see them. */
export const peopleRoutes: Route[] = [
  route.read(accountCalls.publicProfile, schemas.publicProfile, {
    access: 'visitor',
    summary: 'Public profile',
    read: publicProfile,
  }),
  route.read(accountCalls.ranking, schemas.ranking, {
    access: 'visitor',
    summary: 'Who earned and voted most in the last seven days, and the staff',
    read: ranking,
    params: () => ({}),
    // Goes through all votes of a week.
    lane: 'slow',
  }),
  route.read(accountCalls.reputation, schemas.reputation, {
    access: 'visitor',
    summary: 'What brought somebody reputation, the newest first',
    read: reputationPage,
  }),
  route.read(accountCalls.directory, schemas.directory, {
    access: 'visitor',
    summary: 'Everybody who is active here, by reputation or by when they came, all or by the beginning of their name',
    read: directory,
  }),
  route.read(accountCalls.searchPeople, schemas.searchPeople, {
    access: 'active',
    summary: 'Up to five people by the beginning of their name',
    read: peopleNamed,
  }),
  route.read(accountCalls.searchStaff, schemas.searchStaff, {
    access: 'visitor',
    summary: 'Moderators and admins by the beginning of their name; null when there are none',
    read: staffSearch,
  }),
]
