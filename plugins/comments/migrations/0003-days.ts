import { defineMigration } from '@stoa/sdk/server'

/** Comments of some days are counted along an index. */
export default defineMigration({
  async up(db) {
    await db.schema.createIndex('comments__comment_day').on('comments__comment').columns(['status', 'created_at']).execute()
  },
})
