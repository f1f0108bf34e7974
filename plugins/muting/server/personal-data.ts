import type { ServerContext } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'

/** Whom somebody has muted; who has muted them is nobody's business but those people's. */
export function personalMutes(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('muting__mute')
        .select(['muted_id', 'created_at'])
        .where('person_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records('muted', rows)
    },
    async erase({ personId }) {
      await ctx.db.write((tx) =>
        tx
          .deleteFrom('muting__mute')
          .where((eb) => eb.or([eb('person_id', '=', personId), eb('muted_id', '=', personId)]))
          .execute(),
      )
    },
  }
}
