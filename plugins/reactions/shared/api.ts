import { call, defineErrors, event, read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

/** How often one emoji was given, and by whom. */
export type Reaction = Static<typeof schemas.reaction>
export type Emoji = Reaction['emoji']

export const reactionCalls = {
  get: call.get<typeof schemas.get>('meta/reaction'),
  react: call.put<typeof schemas.react>('meta/reaction'),
}

/** People above `after` with a reaction that stands, in the order of their ids, at most `limit`. */
export const reactors = read<{ after: number; limit: number }, number[]>('reactions.reactors')

export const reactionEvents = {
  /** Somebody reacted, or took it back (`active` false). `n` is the running number, `objectId` the long public id. */
  reacted: event<{ kind: string; n: number; objectId: string; personId: number; authorId: number; emoji: Emoji; active: boolean }>(
    'reactions.reacted',
  ),
}

export const reactionErrors = defineErrors('error.object', {
  not_found: { status: 400, message: 'Nothing to react to: {id}' },
})

/** What posts and answers carry of this plugin, or nothing while it is off and nobody reacted. @param beside theirs */
export const reactionsIn = (beside: Record<string, unknown> | undefined): Reaction[] => (beside?.reactions ?? []) as Reaction[]
