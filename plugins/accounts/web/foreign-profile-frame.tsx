import type { PropsOf } from '@stoa/sdk'
import type { ReactNode } from 'react'
import type { accountSlots } from '../shared/api.ts'
import { ProfileFrame } from './parts/profile-frame.tsx'

/** Head and tabs of one's own profile around a page of another plugin. */
export default function ForeignProfileFrame({ profile, children }: PropsOf<typeof accountSlots.profileFrame>) {
  return <ProfileFrame profile={profile}>{children as ReactNode}</ProfileFrame>
}
