import type { PropsOf } from '@stoa/sdk'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { reactionsIn } from '../shared/api.ts'
import { Reactions } from './reactions.tsx'

export default function PostReactions({ id, detail }: PropsOf<typeof experienceSlots.actions>) {
  return <Reactions id={id} given={reactionsIn(detail.beside)} />
}
