import { defineMigration } from '@stoa/sdk/server'

/** Answers of some days are counted along an index. */
export default defineMigration({
  async up(db) {
    await db.schema.createIndex('answers__answer_day').on('answers__answer').columns(['status', 'created_at']).execute()
  },
})
