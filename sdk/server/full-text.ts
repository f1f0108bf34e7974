import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Dialect } from './columns.ts'
import type { TokenPhrase } from './tokens-of-text.ts'
import { tokensOfSearch, tokensOfText } from './tokens-of-text.ts'

// biome-ignore lint/suspicious/noExplicitAny: a plugin's own tables
type Db = Kysely<any>

/** What is looked for. Each text may hold several words: they must then stand next to each other. Any text is allowed. */
export interface TextQuery {
  /** All of these, in the title or in the body. */
  every?: readonly string[]
  /** And at least one of these, if there are any. */
  any?: readonly string[]
  /** And all of these in the title. */
  inTitle?: readonly string[]
  /** And all of these marks. */
  marks?: readonly string[]
}

/** A text of the caller's. */
export interface TextRow {
  /** A whole number, 1 or more; the higher the newer. */
  id: number
  title?: string
  body: string
  /** Facts to narrow by, such as `author:12`, in lower case. No text finds them. */
  marks?: readonly string[]
}

/** An index over texts that are stored elsewhere; correct for Chinese, Japanese and Korean. The same results on both databases. */
export interface FullText {
  /** In a migration. */
  create(db: Db): Promise<void>
  /** Stores or replaces rows, each id once; the more at once, the quicker. */
  put(db: Db, rows: readonly TextRow[]): Promise<void>
  remove(db: Db, ids: readonly number[]): Promise<void>
  /** Sub-query of the ids that match: `where id in (${index.matching(query)})`. A query without letters finds nothing. */
  matching(query: TextQuery): RawBuilder<{ id: number }>
  /**
   * Makes an index quicker to read in which much was stored at once, in short steps.
   * @param step does one in a transaction, and says what it returns: whether there is more to do; false ends it early
   */
  compact(step: (work: (db: Db) => Promise<boolean>) => Promise<boolean>): Promise<void>
  /** The highest ids that match, highest first. A word that is everywhere costs no more than a rare one. */
  newest(db: Db, query: TextQuery, limit: number, offset?: number): Promise<number[]>
}

/** Rows of one statement: their tokens have to fit in memory. */
const AT_ONCE = 5000
const COLLECTED_BYTES = 64 * 1024 * 1024
/** Pages of 4 KB that one step of making an index compact writes. */
const MERGED_PAGES = 250
const NOTHING = sql<never>`select 0 as id where 1 = 0`

/** No token of a text holds these, since they are no letters; both databases take them for parts of a word. */
const BETWEEN = '¶'
const TITLE = '§'
const MARK = '¤'

/**
 * Describes a full-text index of a plugin. FTS5 without content on SQLite, a tsvector with a GIN index on PostgreSQL; the words are
 * made by {@link tokensOfText} for both. Words of a title stand in it a second time as tokens of their own, and so do marks: to ask for
 * them is then one more list of ids to intersect with, where a column would have to be looked up in every text that has the word.
 * @param table with the plugin's prefix: `search__text`
 */
export function fullText(table: string, dialect: Dialect): FullText {
  return dialect === 'sqlite' ? sqliteFullText(table) : postgresFullText(table)
}

const markToken = (mark: string): string =>
  MARK + mark.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, (character) => `${MARK}${character.charCodeAt(0).toString(16)}${MARK}`)

/** Tokens of a row in order; no phrase reaches from one part into the next. */
function tokensOfRow({ title = '', body, marks = [] }: TextRow): string[] {
  const ofTitle = tokensOfText(title)
  const tokens = marks.map(markToken)
  for (const token of ofTitle) tokens.push(TITLE + token)
  for (const token of ofTitle) tokens.push(token)
  tokens.push(BETWEEN)
  for (const token of tokensOfText(body)) tokens.push(token)
  return tokens
}

function* portions(rows: readonly TextRow[]): Generator<readonly TextRow[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}

/** The query in the database's language. @returns undefined when a required part, or all alternatives, have no letters */
function queryText(
  { every = [], any = [], inTitle = [], marks = [] }: TextQuery,
  write: { phrase(phrase: TokenPhrase): string; and: string; or: string },
): string | undefined {
  const titled = inTitle.map(tokensOfSearch).map((phrase) => phrase && { ...phrase, tokens: phrase.tokens.map((token) => TITLE + token) })
  const required = [...marks.map((mark) => ({ tokens: [markToken(mark)], openEnd: false })), ...titled, ...every.map(tokensOfSearch)]
  const some = any.map(tokensOfSearch).filter((phrase) => phrase !== undefined)
  if (any.length > 0 && some.length === 0) return undefined
  const groups: string[] = []
  for (const phrase of required) {
    if (!phrase) return undefined
    groups.push(write.phrase(phrase))
  }
  if (some.length > 0) groups.push(`(${some.map(write.phrase).join(write.or)})`)
  return groups.length > 0 ? groups.join(write.and) : undefined
}

function sqliteFullText(table: string): FullText {
  const name = sql.table(table)
  // Tokens hold letters, digits and our own three signs only, so quotes and operators of the query language cannot come from outside.
  const phrase = ({ tokens, openEnd }: TokenPhrase) => `"${tokens.join(' ')}"${openEnd ? ' *' : ''}`
  const matching = (query: TextQuery): RawBuilder<{ id: number }> => {
    const text = queryText(query, { phrase, and: ' AND ', or: ' OR ' })
    return text === undefined ? NOTHING : sql`select rowid as id from ${name} where ${name} match ${text}`
  }
  return {
    async create(db) {
      // `ascii` leaves every character above 127 in its token: what a word is has been decided before.
      await sql`create virtual table ${name} using fts5(words, content='', contentless_delete=1, tokenize='ascii')`.execute(db)
      // What one transaction collects in memory before it is written as a part of the index, to be merged with others later.
      await sql`insert into ${name} (${name}, rank) values ('hashsize', ${sql.lit(COLLECTED_BYTES)})`.execute(db)
    },
    async put(db, rows) {
      // FTS5 writes out what it has collected before every statement of several rows, and before an id that is lower than the last:
      // 57,000 rows take 3.3 s in any order, 2.1 s in statements of 200, 1.4 s so.
      for (const portion of portions([...rows].sort((a, b) => a.id - b.id))) {
        const json = JSON.stringify(portion.map((row) => [row.id, tokensOfRow(row).join(' ')]))
        await sql`insert or replace into ${name} (rowid, words) select value ->> 0, value ->> 1 from json_each(${json})`.execute(db)
      }
    },
    async remove(db, ids) {
      for (const id of ids) await sql`delete from ${name} where rowid = cast(${id} as integer)`.execute(db)
    },
    matching,
    async compact(step) {
      // What is stored at once becomes a part of the index, each of which is looked through for each word. The first number begins to make them
      // one, which the others go on with; FTS5 says that nothing is left by changing nothing but the statement's own row.
      const merge = (pages: number) => async (db: Db) => {
        const changes = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(db)).rows[0]?.n ?? 0
        const before = await changes()
        await sql`insert into ${name} (${name}, rank) values ('merge', ${sql.lit(pages)})`.execute(db)
        return (await changes()) - before >= 2
      }
      let isMore = await step(merge(-MERGED_PAGES))
      while (isMore) isMore = await step(merge(MERGED_PAGES))
    },
    async newest(db, query, limit, offset = 0) {
      // One row with a list costs a third of a row for each.
      const { rows } = await sql<{ ids: string }>`select json_group_array(id) as ids
        from (select id from (${matching(query)}) order by id desc limit ${limit} offset ${offset})`.execute(db)
      return JSON.parse(rows[0]?.ids ?? '[]') as number[]
    },
  }
}

/** Limits of a tsvector: positions up to 16383, 255 of them per word. Beyond, neighbours cannot be told. */
const MAX_POSITION = 16_383
const MAX_OCCURRENCES = 255

/** Text form of a tsvector; `isLong`: some positions did not fit. */
function vectorOf(row: TextRow): { vector: string; isLong: boolean } {
  const places = new Map<string, number[]>()
  let position = 0
  let isLong = false
  for (const token of tokensOfRow(row)) {
    position++
    const known = places.get(token) ?? []
    if (position <= MAX_POSITION && known.length < MAX_OCCURRENCES) known.push(position)
    else isLong = true
    places.set(token, known)
  }
  const lexemes = [...places].map(([token, at]) => (at.length > 0 ? `'${token}':${at.join(',')}` : `'${token}'`))
  return { vector: lexemes.join(' '), isLong }
}

function postgresFullText(table: string): FullText {
  const name = sql.table(table)
  const phraseOf = (glue: string) => (phrase: TokenPhrase) => {
    const last = phrase.tokens.length - 1
    return `(${phrase.tokens.map((token, i) => `'${token}'${phrase.openEnd && i === last ? ':*' : ''}`).join(glue)})`
  }
  const matching = (query: TextQuery): RawBuilder<{ id: number }> => {
    const exact = queryText(query, { phrase: phraseOf(' <-> '), and: ' & ', or: ' | ' })
    const loose = queryText(query, { phrase: phraseOf(' & '), and: ' & ', or: ' | ' })
    if (exact === undefined) return NOTHING
    // The index knows no positions: whether words stand next to each other is read in each text that has them all, once. As `case` that is guessed to
    // hold for half of these; as `or` for hardly any, and the newest of 20,000 were looked for by reading all of them (177 ms instead of 6).
    const neighbours = exact === loose ? sql`` : sql` and case when is_long = 1 then true else words @@ ${exact}::tsquery end`
    return sql`select id from ${name} where words @@ ${loose}::tsquery${neighbours}`
  }
  return {
    async create(db) {
      await sql`create table ${name} (id bigint primary key, words tsvector not null, is_long integer not null)`.execute(db)
      await sql`create index ${sql.ref(`${table}_words`)} on ${name} using gin (words)`.execute(db)
    },
    async put(db, rows) {
      for (const portion of portions(rows)) {
        const values = portion.map((row) => {
          const { vector, isLong } = vectorOf(row)
          return sql`(${row.id}::bigint, ${vector}::tsvector, ${isLong ? 1 : 0}::integer)`
        })
        await sql`insert into ${name} (id, words, is_long) values ${sql.join(values)}
          on conflict (id) do update set words = excluded.words, is_long = excluded.is_long`.execute(db)
      }
    },
    async remove(db, ids) {
      if (ids.length > 0) await sql`delete from ${name} where id in (${sql.join(ids)})`.execute(db)
    },
    matching,
    // The index holds each word once, however much was stored at a time.
    async compact() {},
    async newest(db, query, limit, offset = 0) {
      const { rows } = await sql<{ id: number }>`select id from (${matching(query)}) as m
        order by id desc limit ${limit} offset ${offset}`.execute(db)
      return rows.map(({ id }) => Number(id))
    },
  }
}
