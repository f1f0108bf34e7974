import { read } from '@stoa/sdk'
import type { Reaction } from '../shared/api.ts'

/** What stands on one object, for the person who asks. */
export const summaryOf = read<{ kind: string; n: number }, Reaction[]>('reactions.summary')
