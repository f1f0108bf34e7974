import { defineMigration } from '@stoa/sdk/server'

/** Tags of posts are read along an index that has all of it: with the key alone each pair is looked up in the table once more. */
export default defineMigration({
  async up(db) {
    await db.schema.createIndex('tags__relation_order').on('tags__relation').columns(['experience_id', 'position', 'tag_id']).execute()
  },
})
