import type { Database } from 'better-sqlite3'

/** Size of the pages that a detail view asks for beside the post itself. */
export const BESIDE = 10

const post = `
  select cast(10010000000000000 + id as text) as id, title, url_title, content, html, excerpt as description, id as tags, view_count,
    0 as unique_view_count, vote_count, answer_count, collection_count, follow_count,
    case accepted_answer when 0 then '0' else cast(10020000000000000 + accepted_answer as text) end as accepted_answer_id,
    case last_answer when 0 then '0' else cast(10020000000000000 + last_answer as text) end as last_answer_id,
    created_at as create_time, active_at as update_time, edited_at as edit_time, pin, show, status, author_id as user_info,
    editor_id as update_user_info, answerer_id as last_answered_user_info, '' as first_answer_id, '' as vote_status
  from experiences__post join experiences__body on post_id = id where id = ?`

const replies = `
  select cast(10020000000000000 + id as text) as id, cast(10010000000000000 + experience as text) as experience_id, content, html,
    created_at as create_time, updated_at as update_time, case accepted when 0 then 1 else 2 end as accepted, person_id as user_info,
    '' as vote_status, vote_count, comment_count, status
  from answers__answer join answers__text on answer_id = id
  where experience = ? and status = 1 order by accepted desc, vote_count desc, id limit ${BESIDE}`

const remarks = `
  select cast(10070000000000000 + c.id as text) as comment_id, c.created_at, cast(10010000000000000 + object_n as text) as object_id,
    vote_count, original_text, parsed_text, cast(p.id as text) as user_id, p.username, p.display_name as user_display_name,
    p.avatar_custom as user_avatar, p.state as user_status, ifnull(cast(r.id as text), '') as reply_user_id,
    ifnull(r.username, '') as reply_username, ifnull(r.display_name, '') as reply_user_display_name,
    case reply_comment when 0 then '' else cast(10070000000000000 + reply_comment as text) end as reply_comment_id,
    ifnull(r.state, '') as reply_user_status
  from comments__comment c join accounts__profile p on p.id = c.person_id left join accounts__profile r on r.id = c.reply_person
  where object_n = ? and object_kind = 'experience' and status = 1 order by c.id limit ${BESIDE}`

/** What a visitor gets in every row. */
const NEUTRAL = '{ "is_vote": false, "member_actions": [] }'

interface Post {
  tags: unknown
  user_info: unknown
  edit_time: number
  update_user_info?: unknown
  last_answered_user_info?: unknown
}

/** `data` of the three calls of a detail page, by running number of the post. */
export function bareDetails(db: Database, tagsOf: (ns: number[]) => Map<number, object[]>): Record<string, (n: number) => object> {
  const card = db.prepare(`
    select cast(id as text) as id, username, rank, display_name, avatar_custom as avatar, website, location,
      case language when 'Default' then '' else language end as language, state as status
    from accounts__profile where id = ?`)
  const one = db.prepare<number[], Post>(post)
  const standing = db.prepare<number[], number>('select count(*) from answers__answer where experience = ? and status = 1').pluck()
  const standingRows = db.prepare<number[], { user_info: unknown }>(replies)
  const said = db
    .prepare<number[], number>("select count(*) from comments__comment where object_n = ? and object_kind = 'experience' and status = 1")
    .pluck()
  const saidRows = db.prepare<number[], object>(remarks)

  const neutral = JSON.parse(NEUTRAL) as object

  return {
    info(n) {
      const row = one.get(n) as Post
      row.tags = tagsOf([n]).get(n) ?? []
      row.user_info = card.get(row.user_info)
      row.update_user_info = row.edit_time > 0 ? card.get(row.update_user_info) : undefined
      row.last_answered_user_info = row.last_answered_user_info ? card.get(row.last_answered_user_info) : undefined
      return Object.assign(row, { answered: false, collected: false, is_followed: false, member_actions: [], extends_actions: [] })
    },
    replies(n) {
      const list = standingRows.all(n)
      for (const row of list) Object.assign(row, { user_info: card.get(row.user_info), collected: false, member_actions: [] })
      return { count: standing.get(n), list }
    },
    remarks(n) {
      const list = saidRows.all(n)
      for (const row of list) Object.assign(row, neutral)
      return { count: said.get(n), list }
    },
  }
}
