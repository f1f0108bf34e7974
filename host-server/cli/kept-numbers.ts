import type { Counted, Finding, KeptNumber } from '@stoa/sdk/commands'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Operator } from './operator.ts'
import type { Command } from './operator-commands.ts'
import { contributed } from './plugin-commands.ts'

// biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
type Db = Kysely<any>

/** Differences that one look finds at most; what is more comes with the next. */
const MOST = 500
const NAMED = 3
/** Beside a site that serves there is always something. */
const MOST_ROUNDS = 4

interface Difference {
  id: number
  kept: number
  total: number
}

interface Compared {
  kept: KeptNumber
  counted: Counted
}

/** Numbers that a plugin keeps and another one can count, both being on. */
function compared(operator: Operator): Compared[] {
  const loaded = contributed(operator).flatMap((plugin) => ('problem' in plugin.loaded ? [] : [plugin.loaded]))
  const counted = new Map(loaded.flatMap((plugin) => (plugin.counted ?? []).map((one) => [one.of, one] as const)))
  return loaded.flatMap((plugin) =>
    (plugin.kept ?? []).flatMap((kept) => {
      const found = counted.get(kept.of)
      return found ? [{ kept, counted: found }] : []
    }),
  )
}

/** Rows of the object with this number, or of the kind at all. */
const ofKind = ({ kind, kindColumn }: KeptNumber) => (kindColumn === undefined ? sql`` : sql`and ${sql.ref(kindColumn)} = ${kind}`)

function differences(db: Db, { kept, counted }: Compared): RawBuilder<Difference> {
  const { table, key, column, kind } = kept
  return sql<Difference>`
    select k.${sql.ref(key)} as id, k.${sql.ref(column)} as kept, coalesce(c.total, 0) as total
    from ${sql.table(table)} as k
    left join (select n, total from (${counted.rows(db)}) as r where r.kind = ${kind}) as c on c.n = k.${sql.ref(key)}
    where k.${sql.ref(column)} <> coalesce(c.total, 0) ${ofKind(kept)}
    order by k.${sql.ref(key)} limit ${sql.lit(MOST)}`
}

/** For `stoa doctor`. */
export async function keptNumbers(operator: Operator): Promise<Finding[]> {
  const all = compared(operator)
  const findings: Finding[] = []
  for (const one of all) {
    const { rows } = await differences(operator.data.database.query, one).execute(operator.data.database.query)
    if (rows.length === 0) continue
    const examples = rows.slice(0, NAMED).map(({ id, kept, total }) => `${kept} instead of ${total} at ${id}`)
    const often = rows.length === 1 ? 'once' : `${rows.length} times${rows.length === MOST ? ' or more' : ''}`
    const text = `The number of ${one.kept.name} is wrong ${often}: ${examples.join(', ')}${rows.length > NAMED ? ', …' : ''}.`
    findings.push({ level: 'wrong', text, advice: '"stoa recount" counts anew and sets it right, also while the site runs.' })
  }
  return findings.length > 0 ? findings : [{ level: 'well', text: `${all.length} kinds of numbers are what there is to count.` }]
}

/** Sets a number right everywhere, each portion in a transaction of its own, so that writers hardly wait. @returns how often it was wrong */
async function setRight(operator: Operator, one: Compared): Promise<number> {
  const { table, key, column } = one.kept
  let done = 0
  for (let found = MOST; found === MOST; ) {
    found = await operator.data.database.ofPlugins.write(async (tx: Db) => {
      const { rows } = await differences(tx, one).execute(tx)
      for (const { id, total } of rows)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${Number(total)}
          where ${sql.ref(key)} = ${id} ${ofKind(one.kept)}`.execute(tx)
      return rows.length
    })
    done += found
  }
  return done
}

/** `stoa recount`. What one number is counted by may have been wrong itself: it goes round until nothing is. */
export const recount: Command = async (operator, _, { say }) => {
  const all = compared(operator)
  const done = new Map<string, number>()
  for (let round = 0, changed = 1; changed > 0 && round < MOST_ROUNDS; round++) {
    changed = 0
    for (const one of all) {
      const count = await setRight(operator, one)
      if (count > 0) done.set(one.kept.name, (done.get(one.kept.name) ?? 0) + count)
      changed += count
    }
  }
  for (const [name, count] of done) say(`${name}: ${count} set right.`)
  if (done.size === 0) say('Every number is what there is to count.')
}
