import type { PropsOf } from '@stoa/sdk'
import type { answerSlots } from '../../answers/shared/api.ts'
import { reactionsIn } from '../shared/api.ts'
import { Reactions } from './reactions.tsx'

export default function AnswerReactions({ id, answer }: PropsOf<typeof answerSlots.actions>) {
  return <Reactions id={id} given={reactionsIn(answer.beside)} />
}
