import type { ServerContext } from '@stoa/sdk/server'
import type { StaffAct, StaffLog } from '../shared/api.ts'
import { personalLog } from './personal-data.ts'
import type { Tables } from './tables.ts'
import { changesIn, knownActions, phrasesOf } from './words.ts'

const LONGEST_LABEL = 300
const LONGEST_NOTE = 2000

/** Puts acts of the staff down, in the words of all languages of the site. */
export function createStaffLog(ctx: ServerContext<Tables>): StaffLog {
  return {
    personalData: personalLog(ctx),
    async record({ actorId, action, object, note = '', changes = [], texts }: StaffAct) {
      const key = knownActions(ctx.host).get(action)
      if (key === undefined) ctx.log.warn('Staff did something that no plugin has words for', { action })
      const phrases = phrasesOf(ctx.host, key ?? 'audit.unnamed')
      await ctx.db.write(async (tx) => {
        await tx
          .insertInto('audit__entry')
          .values({
            actor_id: actorId,
            action: action.slice(0, 100),
            object_kind: object?.kind ?? '',
            object_id: object?.id ?? '',
            object_label: (object?.label ?? '').slice(0, LONGEST_LABEL),
            object_path: object?.path ?? '',
            note: note.trim().slice(0, LONGEST_NOTE),
            phrases,
            changes: changesIn(ctx.host, changes, texts),
            created_at: ctx.now(),
          })
          .execute()
        await tx
          .insertInto('audit__action')
          .values({ name: action.slice(0, 100), phrases })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      })
    },
  }
}
