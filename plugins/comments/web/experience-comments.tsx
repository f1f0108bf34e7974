import type { PropsOf } from '@stoa/sdk'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { LoadedComments } from './comments.tsx'

export default function ExperienceComments({ id }: PropsOf<typeof experienceSlots.footer>) {
  return <LoadedComments objectId={id} kind="experience" />
}
