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

export interface NewestQuery extends TextQuery {
  /** Where more than are wanted are looked at anyway, so many may be given. Default: as many as are wanted. */
  most?: number
}

/** What matches one query. */
export interface NewestTexts {
  /** Highest first. */
  ids: number[]
  /** There are no others. */
  isAll: boolean
}

/** An index over texts that are stored elsewhere; correct for Chinese, Japanese and Korean. The same results on both databases. */
export interface FullText {
  /** In a migration. What is there already stays: a later migration that calls it again adds what newer versions of it need. */
  create(db: Db): Promise<void>
  /** Stores or replaces rows, each id once; the more at once, the quicker. */
  put(db: Db, rows: readonly TextRow[]): Promise<void>
  remove(db: Db, ids: readonly number[]): Promise<void>
  /** Sub-query of the ids that match: `where id in (${index.matching(query)})`. A query without letters finds nothing. */
  matching(query: TextQuery): RawBuilder<{ id: number }>
  /**
   * The highest ids that match each of some queries, in one statement. A word that is in very many texts costs hardly more than a rare one.
   * @param limit how many of each are wanted
   */
  newestOfEach(db: Db, queries: readonly NewestQuery[], limit: number): Promise<NewestTexts[]>
  /**
   * Makes an index quicker to read in which much was stored at once, in short steps.
   * @param step does one in a transaction, and says what it returns: whether there is more to do; false ends it early
   */
  compact(step: (work: (db: Db) => Promise<boolean>) => Promise<boolean>): Promise<void>
  /** The highest ids that match, highest first. A word that is everywhere costs no more than a rare one, on the first pages. */
  newest(db: Db, query: TextQuery, limit: number, offset?: number): Promise<number[]>
}

/** Rows of one statement: their tokens have to fit in memory. */
const AT_ONCE = 5000
const COLLECTED_BYTES = 64 * 1024 * 1024
/**
 * Texts of which PostgreSQL keeps a second, small index. Of 280,000 texts a word of 1,900 is then the one whose newest 200 cost the most visits: of
 * rarer ones there are fewer, of others enough among these.
 */
const RECENT = 30_000
/** As many times that lie in it before it is made smaller. */
const TOLERATED = 1.25
/**
 * As many times as large as those texts are in the other table, and it is made anew. Of 280,000 texts that were stored at once it had 387 MB, three
 * quarters of them left behind by texts that were recent meanwhile, and 64 MB afterwards: an eighth more searches a second.
 */
const BLOATED = 2
/** Bytes above which PostgreSQL looks whether something of a row had better lie outside of it: 2 KB and a little. */
const LARGE_ROW = 2100
/** Texts that one step copies for that: a second, for short ones. */
const COPIED = 1000
/** Milliseconds that others may have to wait for that, or it is left. */
const PATIENCE_MS = 1000
/** Texts that are stored on average between two looks at whether that index has grown too large. */
const BETWEEN_LOOKS = 1000
/**
 * KB of new texts that a GIN index keeps as a list, which each search reads from end to end, two to eight times. The less, the longer it takes to store
 * many: 10,000 texts in 7 s, in 11 s with 128.
 */
const PENDING_KB = 1024
/** Texts that are stored on average between two times that those lists are emptied: with five a second a third more searches than with full ones. */
const BETWEEN_MERGES = 10
/** So many at once are not the last ones: the lists are emptied when all are stored. */
const MANY = 100
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
 * @param recent for tests: how many texts are looked through before the others, where that is needed
 */
export function fullText(table: string, dialect: Dialect, recent = RECENT): FullText {
  return dialect === 'sqlite' ? sqliteFullText(table) : postgresFullText(table, recent)
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

function* portions<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
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

/** Whether some words have to stand next to each other, or begin with what is asked for. */
function hasPhrase({ every = [], any = [], inTitle = [] }: TextQuery): boolean {
  return [...every, ...any, ...inTitle].map(tokensOfSearch).some((phrase) => phrase && (phrase.tokens.length > 1 || phrase.openEnd))
}

function sqliteFullText(table: string): FullText {
  const name = sql.table(table)
  // Tokens hold letters, digits and our own three signs only, so quotes and operators of the query language cannot come from outside.
  const phrase = ({ tokens, openEnd }: TokenPhrase) => `"${tokens.join(' ')}"${openEnd ? ' *' : ''}`
  const matching = (query: TextQuery): RawBuilder<{ id: number }> => {
    const text = queryText(query, { phrase, and: ' AND ', or: ' OR ' })
    return text === undefined ? NOTHING : sql`select rowid as id from ${name} where ${name} match ${text}`
  }
  const newest = (query: TextQuery, limit: number, offset = 0): RawBuilder<{ id: number }> =>
    sql`select id from (${matching(query)}) order by id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
  /**
   * For phrases: that words stand next to each other is looked up in each text that has them all, mostly for a few that do, and backwards FTS5 takes
   * twice as long for it (four Chinese characters among 280,000 texts: 0.5 ms, 0.9 for the newest 200). A word alone is in a list of its own.
   */
  const oldest = (query: TextQuery, limit: number): RawBuilder<{ id: number }> =>
    sql`select id from (${matching(query)}) order by id limit ${sql.lit(limit)}`
  /** One row with lists costs a third of a row for each id. */
  const listsOf = async (db: Db, queries: readonly RawBuilder<{ id: number }>[]): Promise<number[][]> => {
    if (queries.length === 0) return []
    const lists = queries.map((query, i) => sql`(select json_group_array(id) from (${query})) as ${sql.ref(`l${i}`)}`)
    const { rows } = await sql<Record<string, string>>`select ${sql.join(lists)}`.execute(db)
    return queries.map((_, i) => JSON.parse(rows[0]?.[`l${i}`] ?? '[]') as number[])
  }
  return {
    async create(db) {
      // `ascii` leaves every character above 127 in its token: what a word is has been decided before.
      await sql`create virtual table if not exists ${name} using fts5(words, content='', contentless_delete=1, tokenize='ascii')`.execute(
        db,
      )
      // What one transaction collects in memory before it is written as a part of the index, to be merged with others later.
      await sql`insert into ${name} (${name}, rank) values ('hashsize', ${sql.lit(COLLECTED_BYTES)})`.execute(db)
    },
    async put(db, rows) {
      // FTS5 writes out what it has collected before every statement of several rows, and before an id that is lower than the last:
      // 57,000 rows take 3.3 s in any order, 2.1 s in statements of 200, 1.4 s so.
      for (const portion of portions(
        [...rows].sort((a, b) => a.id - b.id),
        AT_ONCE,
      )) {
        const json = JSON.stringify(portion.map((row) => [row.id, tokensOfRow(row).join(' ')]))
        await sql`insert or replace into ${name} (rowid, words) select value ->> 0, value ->> 1 from json_each(${json})`.execute(db)
      }
    },
    async remove(db, ids) {
      for (const id of ids) await sql`delete from ${name} where rowid = cast(${id} as integer)`.execute(db)
    },
    matching,
    async newestOfEach(db, queries, limit) {
      const asked = queries.map((query) => {
        const isPhrase = hasPhrase(query)
        return { query, isPhrase, most: isPhrase ? (query.most ?? limit) : limit }
      })
      const lists = await listsOf(
        db,
        asked.map(({ query, isPhrase, most }) => (isPhrase ? oldest : newest)(query, most)),
      )
      const found = asked.map(({ query, isPhrase, most }, i) => {
        const ids = lists[i] as number[]
        return { query, isPhrase, ids: isPhrase ? ids.toReversed() : ids, isAll: ids.length < most }
      })
      // These are the oldest of all that have the phrase.
      const many = found.filter(({ isPhrase, isAll }) => isPhrase && !isAll)
      const newestOfMany = await listsOf(
        db,
        many.map(({ query }) => newest(query, limit)),
      )
      for (const [i, one] of many.entries()) one.ids = newestOfMany[i] as number[]
      return found.map(({ ids, isAll }) => ({ ids, isAll }))
    },
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
      const [ids] = await listsOf(db, [newest(query, limit, offset)])
      return ids ?? []
    },
  }
}

/** The query in the database's language. The index knows no positions: whether words stand next to each other is read in each text that has them all. */
interface Texts {
  loose: string
  /** What says that; null where no words have to. */
  neighbours: string | null
}
/** Queries of one statement: every connection keeps a plan for each number of them, 90 KB a query. A search for two words has four. */
const TOGETHER = 4
/** The highest ids that match a query; `isAll`: others were looked for, too. */
type Found = [isAll: boolean, ids: number[] | null]
/** Somebody else has had for long what was asked for (`lock_not_available`). */
const LOCK_TIMEOUT = '55P03'
/** Stands in `is_long` of the row that is no text. */
const BOUND = -1
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

/**
 * All texts lie in one table, and the newest of them a second time in a small one. GIN has no order: to find the newest of 7,000 texts with a word it
 * visits all of them, while the small index holds a few hundred of these. A row of the small table that is no text holds the id after which it has all.
 */
function postgresFullText(table: string, recent: number): FullText {
  const small = `${table}_new`
  const beside = `${small}_anew`
  const [name, newer, anew] = [sql.table(table), sql.table(small), sql.table(beside)]
  const bound = sql.lit(BOUND)
  const since = sql`(select id from ${newer} where is_long = ${bound})`
  const phraseOf = (glue: string) => (phrase: TokenPhrase) => {
    const last = phrase.tokens.length - 1
    return `(${phrase.tokens.map((token, i) => `'${token}'${phrase.openEnd && i === last ? ':*' : ''}`).join(glue)})`
  }
  /** What is asked for; without letters nothing. */
  const textsOf = (query: TextQuery): Texts | undefined => {
    const exact = queryText(query, { phrase: phraseOf(' <-> '), and: ' & ', or: ' | ' })
    const loose = queryText(query, { phrase: phraseOf(' & '), and: ' & ', or: ' | ' })
    return exact === undefined || loose === undefined ? undefined : { loose, neighbours: exact === loose ? null : exact }
  }
  /**
   * One form for all texts, which the planner is not told: it then asks the index for any of them. Told what is looked for, it may read the whole table
   * instead, as it does not know that the words lie outside of it (1.5 s for a kind and one of two words); and to plan for two words took 1.7 ms each time.
   * As `case` that is guessed to hold for half of these; as `or` for hardly any, and the newest of 20,000 were looked for by reading all of them (177 ms
   * instead of 6).
   */
  const matches = ({ loose, neighbours }: Texts): RawBuilder<boolean> => {
    const given = sql`(select ${neighbours}::tsquery)`
    return sql`words @@ (select ${loose}::tsquery) and case when is_long = 1 or ${given} is null then true else words @@ ${given} end`
  }
  const matching = (query: TextQuery): RawBuilder<{ id: number }> => {
    const texts = textsOf(query)
    return texts ? sql`select id from ${name} where ${matches(texts)}` : NOTHING
  }
  /** Whether all that match are given, and the ids. The older ones are looked through only where the new ones are too few. */
  const newest = (texts: Texts, limit: number, most: number): RawBuilder<Found> => {
    // A sum is in no index: by the bare id, half of which are believed to be on either side, the planner would walk all ids beside the words, and to
    // have the highest first it would read all texts of a large table for a word that is in few.
    const newestFirst = sql`order by id + 0 desc limit ${most}`
    return sql`(with recent as materialized (select id from ${newer} where ${matches(texts)} and id + 0 > ${since} ${newestFirst}),
      few as materialized (select count(*) < ${limit} as yes from recent)
      select json_build_array((select yes from few), (select json_agg(id order by id desc) from (select id from recent union all
        (select id from ${name} where ${matches(texts)} and id + 0 <= ${since} and (select yes from few) ${newestFirst})) as found)))`
  }
  const newestOfEach: FullText['newestOfEach'] = async (db, queries, limit) => {
    const found = queries.map((): NewestTexts => ({ ids: [], isAll: true }))
    const asked = queries.flatMap(({ most = limit, ...query }, at) => {
      const texts = textsOf(query)
      return texts ? [{ texts, most, at }] : []
    })
    const ask = async (part: Readonly<typeof asked>) => {
      const lists = part.map(({ texts, most }, i) => sql`${newest(texts, limit, most)} as ${sql.ref(`l${i}`)}`)
      const { rows } = await sql<Record<string, Found>>`select ${sql.join(lists)}`.execute(db)
      for (const [i, { most, at }] of part.entries()) {
        const [isAll, ids] = rows[0]?.[`l${i}`] ?? [true, null]
        found[at] = { ids: ids ?? [], isAll: isAll && (ids?.length ?? 0) < most }
      }
    }
    await Promise.all([...portions(asked, TOGETHER)].map(ask))
    return found
  }
  /** Takes the oldest out of the small table, where it has grown too large. */
  const shrink = async (db: Db) => {
    // Whoever else does this waits here, and begins with what has come of it.
    await sql`select 1 from ${newer} where is_long = ${bound} for update`.execute(db)
    const texts = sql`select id from ${newer} where is_long <> ${bound} order by id desc limit 1`
    const { rows } = await sql<{ last: number }>`select (${texts} offset ${sql.lit(recent)}) as last
      where exists (${texts} offset ${sql.lit(Math.ceil(TOLERATED * recent))})`.execute(db)
    if (!rows[0]) return
    await sql`delete from ${newer} where id <= ${rows[0].last}`.execute(db)
    await sql`insert into ${newer} (id, words, is_long) values (${rows[0].last}, '', ${bound})`.execute(db)
  }
  const replacing = sql`on conflict (id) do update set words = excluded.words, is_long = excluded.is_long`
  /** The database itself keeps the small table equal to the other: a node with code of before, which does not know it, writes too while others are new. */
  const follow = async (db: Db) => {
    const keep = sql.ref(`${table}_keep_new`)
    // Meanwhile the bound can have moved to one of these.
    await sql`create or replace function ${keep}() returns trigger language plpgsql as $keep$ begin
      if tg_op = 'DELETE' then
        delete from ${newer} where id in (select id from gone) and is_long <> ${bound};
      else
        insert into ${newer} (id, words, is_long) select id, words, is_long from stored where id > ${since} ${replacing} where ${newer}.is_long <> ${bound};
      end if;
      return null;
    end $keep$`.execute(db)
    for (const [event, rows] of [
      ['insert', 'new table as stored'],
      ['update', 'new table as stored'],
      ['delete', 'old table as gone'],
    ] as const) {
      const trigger = sql.ref(`${table}_new_${event}`)
      await sql`drop trigger if exists ${trigger} on ${name}`.execute(db)
      await sql`create trigger ${trigger} after ${sql.raw(event)} on ${name}
        referencing ${sql.raw(rows)} for each statement execute function ${keep}()`.execute(db)
    }
  }
  /**
   * Words lie outside of their rows, which are then 100 bytes instead of 800: who counts texts or finds the newest with a word visits their rows only, and
   * finds 80 of them on a page instead of 8. PostgreSQL moves out nothing of rows below 2 KB, so each has a column of blanks that shrinks to nothing.
   */
  const makeTable = async (db: Db, of: string) => {
    const made = sql.table(of)
    await sql`create table if not exists ${made} (id bigint primary key, words tsvector not null, is_long integer not null)`.execute(db)
    await sql`alter table ${made} alter column words set storage external, set (toast_tuple_target = 128)`.execute(db)
    // Rows that are there are written anew with it: 35 s for 280,000 texts.
    await sql`alter table ${made} add column if not exists blanks text generated always as (repeat(' ', ${sql.lit(LARGE_ROW)})) stored`.execute(
      db,
    )
  }
  const indexWords = async (db: Db, of: string) => {
    const ofWords = sql.ref(`${of}_words`)
    await sql`create index if not exists ${ofWords} on ${sql.table(of)} using gin (words)`.execute(db)
    await sql`alter index ${ofWords} set (gin_pending_list_limit = ${sql.lit(PENDING_KB)})`.execute(db)
  }
  const mergeNew = (db: Db) =>
    sql`select ${sql.join([table, small].map((of) => sql`gin_clean_pending_list(${sql.lit(`${of}_words`)}::regclass)`))}`.execute(db)
  const indexBound = (db: Db, of: string) =>
    sql`create unique index if not exists ${sql.ref(`${of}_since`)} on ${sql.table(of)} (is_long) where is_long = ${bound}`.execute(db)
  /** Makes the small table anew, without what texts have left behind that were recent once. Each of these does one part of it in a transaction. */
  const renewal = {
    /** @returns whether that is needed */
    async begin(db: Db) {
      await mergeNew(db)
      await renewal.forget(db)
      const bytesPerText = (of: string) =>
        sql`pg_total_relation_size(${sql.lit(of)}::regclass)::float8 / greatest(1, (select count(*) from ${sql.table(of)}))`
      const { rows } = await sql<{ yes: boolean }>`
        select ${bytesPerText(small)} > ${sql.lit(BLOATED)} * ${bytesPerText(table)} as yes`.execute(db)
      if (!rows[0]?.yes) return false
      await makeTable(db, beside)
      await indexWords(db, beside)
      await indexBound(db, beside)
      return true
    },
    /** Where it did not come to its end. */
    async forget(db: Db) {
      await sql`drop table if exists ${anew}`.execute(db)
      return false
    },
    /** @returns whether there are more */
    async copy(db: Db) {
      const { numAffectedRows } = await sql`insert into ${anew} (id, words, is_long) select id, words, is_long from ${newer}
        where id > coalesce((select max(id) from ${anew}), -1) order by id limit ${sql.lit(COPIED)}`.execute(db)
      return Number(numAffectedRows) === COPIED
    },
    /** Others read until the end; who writes waits from here on. */
    async end(db: Db) {
      await sql`set local lock_timeout = ${sql.lit(PATIENCE_MS)}`.execute(db)
      await sql`lock table ${newer} in share row exclusive mode`.execute(db)
      await sql`delete from ${anew} as a where not exists (
        select 1 from ${newer} as n where n.id = a.id and n.is_long = a.is_long and n.words = a.words)`.execute(db)
      await sql`insert into ${anew} (id, words, is_long) select id, words, is_long from ${newer} on conflict do nothing`.execute(db)
      await sql`analyze ${anew}`.execute(db)
      await sql`drop table ${newer}`.execute(db)
      await sql`alter table ${anew} rename to ${sql.ref(small)}`.execute(db)
      for (const index of ['pkey', 'words', 'since'])
        await sql`alter index ${sql.ref(`${beside}_${index}`)} rename to ${sql.ref(`${small}_${index}`)}`.execute(db)
      return false
    },
  }
  return {
    async create(db) {
      await makeTable(db, table)
      await makeTable(db, small)
      await indexWords(db, table)
      await indexBound(db, small)
      // From here on nobody writes to the other table until this is committed.
      await follow(db)
      await sql`insert into ${newer} (id, words, is_long) select coalesce(min(id), 1) - 1, '', ${bound}
        from (select id from ${name} order by id desc limit ${sql.lit(recent)}) as n having not exists (select 1 from ${newer})`.execute(db)
      await sql`insert into ${newer} (id, words, is_long) select id, words, is_long from ${name} where id > ${since} on conflict do nothing`.execute(
        db,
      )
      await indexWords(db, small)
      await sql`analyze ${newer}`.execute(db)
    },
    async put(db, rows) {
      for (const portion of portions(rows, AT_ONCE)) {
        const values = portion.map((row) => {
          const { vector, isLong } = vectorOf(row)
          return sql`(${row.id}::bigint, ${vector}::tsvector, ${isLong ? 1 : 0}::integer)`
        })
        await sql`insert into ${name} (id, words, is_long) values ${sql.join(values)} ${replacing}`.execute(db)
        if (Math.random() * BETWEEN_LOOKS < portion.length) await shrink(db)
        if (portion.length < MANY && Math.random() * BETWEEN_MERGES < portion.length) await mergeNew(db)
      }
    },
    async remove(db, ids) {
      if (ids.length > 0) await sql`delete from ${name} where id in (${sql.join(ids)})`.execute(db)
    },
    matching,
    newestOfEach,
    async compact(step) {
      if (!(await step(renewal.begin))) return
      while (await step(renewal.copy));
      try {
        await step(renewal.end)
      } catch (error) {
        await step(renewal.forget)
        if ((error as { code?: unknown }).code !== LOCK_TIMEOUT) throw error
      }
    },
    async newest(db, query, limit, offset = 0) {
      const [found] = await newestOfEach(db, [query], offset + limit)
      return found?.ids.slice(offset, offset + limit) ?? []
    },
  }
}
