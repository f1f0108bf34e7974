import type { Database } from 'better-sqlite3'

export const PAGE = 20

/** Members of a list item in the order of the protocol; `tags` and `operator` hold running numbers until they are looked up. */
const item = (act: { at: string; by: string; type: string }) => `
  cast(10010000000000000 + id as text) as id, created_at, title, url_title, excerpt as description, pin, show, status, id as tags,
  view_count, 0 as unique_view_count, vote_count, answer_count, collection_count, follow_count,
  case accepted_answer when 0 then '0' else cast(10020000000000000 + accepted_answer as text) end as accepted_answer_id,
  case last_answer when 0 then '0' else cast(10020000000000000 + last_answer as text) end as last_answer_id,
  ${act.at} as operated_at, ${act.by} as operator, ${act.type} as operation_type`

const ASKED = { at: 'created_at', by: 'author_id', type: "'asked'" }

const LATEST = 'max(created_at, case when editor_id > 0 then edited_at else 0 end)'
const wins = (answered: string, edited: string, asked: string) => `
  case when answered_at > 0 and answerer_id > 0 and answered_at >= ${LATEST} then ${answered}
       when editor_id > 0 and edited_at >= created_at then ${edited} else ${asked} end`
const LAST_ACT = {
  at: wins('answered_at', 'edited_at', 'created_at'),
  by: wins('answerer_id', 'editor_id', 'author_id'),
  type: wins("'answered'", "'modified'", "'asked'"),
}

const DAY = 86_400
/** A count over a window costs more than the page; like the site, it is remembered for so long. */
const COUNTED_SECONDS = 10

interface Order {
  sql: string
  /** Column of the stored sizes, or a statement that counts a window of days. */
  count: 'listed' | 'open' | { sql: string; days: number[] }
}

const walk = (columns: string, tail: string, offset = '?') =>
  `select ${columns} from experiences__post where ${tail} limit ${PAGE} offset ${offset}`
const windowed = (condition: string) => `select count(*) from experiences__post where tier in (1, 2) and ${condition}`

/** Statement of the newest posts, a page from the row that `offset` stands for. */
export const newestItems = (offset: string): string => walk(item(ASKED), 'tier >= 1 order by tier desc, created_at desc, id desc', offset)

const orders: Record<string, Order> = {
  newest: { sql: newestItems('?'), count: 'listed' },
  unanswered: { sql: walk(item(ASKED), 'open_tier >= 1 order by open_tier desc, created_at desc, id desc'), count: 'open' },
  score: { sql: walk(item(ASKED), 'tier >= 1 order by tier desc, vote_count desc, view_count desc, id desc'), count: 'listed' },
  hot: {
    sql: walk(item(ASKED), 'tier >= 1 and +created_at > ? order by tier desc, hot_score desc, id desc'),
    count: { sql: windowed('created_at > ?'), days: [90] },
  },
  active: {
    sql: walk(
      item(LAST_ACT),
      'tier >= 1 and +created_at > ? and +active_at > ? order by tier desc, active_at desc, created_at desc, id desc',
    ),
    count: { sql: windowed('created_at > ? and active_at > ?'), days: [180, 90] },
  },
}

interface Item {
  tags: unknown
  operator: unknown
}

/** `data` of a page of a public list, by order; the first page is 1. */
export function bareLists(db: Database, tagsOf: (ns: number[]) => Map<number, object[]>): Record<string, (page: number) => object> {
  const people = db.prepare<string[], { id: string }>(`
    select cast(id as text) as id, username, rank, display_name, state as status, avatar_custom as avatar
    from accounts__profile where id in (${Array(PAGE).fill('?').join()})`)
  const sizes = db.prepare<[], { listed: number; open: number }>('select listed, open from experiences__counter where id = 1')

  return Object.fromEntries(
    Object.entries(orders).map(([name, { sql, count }]) => {
      const rows = db.prepare<number[], Item>(sql)
      const counting = typeof count === 'string' ? undefined : db.prepare<number[], number>(count.sql).pluck()
      let counted = { at: 0, count: 0 }
      return [
        name,
        (page) => {
          const now = Math.floor(Date.now() / 1000)
          const bounds = typeof count === 'string' ? [] : count.days.map((days) => now - days * DAY)
          if (counting && now - counted.at >= COUNTED_SECONDS) counted = { at: now, count: counting.get(...bounds) as number }
          const total = typeof count === 'string' ? (sizes.get() as { listed: number; open: number })[count] : counted.count
          const list = rows.all(...bounds, (page - 1) * PAGE)
          const ids = list.map((row) => row.operator as string)
          while (ids.length < PAGE) ids.push('0')
          const cards = new Map(people.all(...ids).map((card) => [Number(card.id), card]))
          const tags = tagsOf(list.map((row) => row.tags as number))
          for (const row of list) {
            row.tags = tags.get(row.tags as number) ?? []
            row.operator = cards.get(row.operator as number)
          }
          return { count: total, list }
        },
      ]
    }),
  )
}

/** A tag as the protocol has it, where the owner marks none. */
export const tagView = ({ slug, name }: { slug: string; name: string }) => ({
  slug_name: slug,
  display_name: name,
  main_tag_slug_name: '',
  recommend: false,
  reserved: false,
})

/** Tags of up to a page of posts. */
export function bareTags(db: Database): (ns: number[]) => Map<number, object[]> {
  const statement = db.prepare<number[], { post: number; slug: string; name: string }>(`
    select r.experience_id as post, t.slug, t.display_name as name from tags__relation r join tags__tag t on t.id = r.tag_id
    where r.experience_id in (${Array(PAGE).fill('?').join()}) order by r.experience_id, r.position`)
  return (ns) => {
    const padded = ns.length === PAGE ? ns : [...ns, ...Array<number>(PAGE - ns.length).fill(0)]
    const found = new Map<number, object[]>()
    for (const { post, slug, name } of statement.all(...padded)) {
      const tag = tagView({ slug, name })
      const list = found.get(post)
      if (list) list.push(tag)
      else found.set(post, [tag])
    }
    return found
  }
}
