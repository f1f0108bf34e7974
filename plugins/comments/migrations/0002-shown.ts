import { defineMigration } from '@stoa/sdk/server'

/** Whether a comment stands in profiles is said by one column from here on; the other one is left as it is. */
export default defineMigration({
  async up(db) {
    await db.updateTable('comments__comment').set({ object_shown: 0 }).where('post_listed', '=', 0).where('object_shown', '=', 1).execute()
  },
})
