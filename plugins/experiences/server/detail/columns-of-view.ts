import { answerId } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'

/** What `experience/info` sends of a post as its row holds it, for every reader alike. */
export function columnsOfView(row: PostRow) {
  return {
    url_title: row.url_title,
    vote_count: row.vote_count,
    answer_count: row.answer_count,
    collection_count: row.collection_count,
    follow_count: row.follow_count,
    accepted_answer_id: answerId(row.accepted_answer),
    last_answer_id: answerId(row.last_answer),
    create_time: row.created_at,
    update_time: row.active_at,
    edit_time: row.edited_at,
    pin: row.pin,
    show: row.show,
    status: row.status,
  }
}
