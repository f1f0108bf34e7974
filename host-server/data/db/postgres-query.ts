import type { LRUCache } from 'lru-cache'
import pg from 'pg'

type Ending = (error: Error | undefined, result: pg.QueryResult) => void

/** What of a result tells how its rows are read. */
interface Shape {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** Of a connection of pg, what a query asks of it. */
interface Asked {
  describe(portal: object): void
}

/** Of pg's query, what is extended here. */
interface PgQuery extends pg.Submittable {
  name: string
  readonly _result: Shape
  _accumulateRows: boolean
  prepare(connection: Asked): void
  handleCommandComplete(message: unknown, connection: Asked): void
}
const PgQuery = pg.Query as unknown as new (text: string, values: unknown[], onEnd: Ending) => PgQuery

/** Connections that do not ask how rows are described. */
const withoutDescribing = new WeakMap<Asked, Asked>()

function silent(connection: Asked): Asked {
  let found = withoutDescribing.get(connection)
  if (!found) {
    found = Object.assign(Object.create(connection) as Asked, { describe: () => {} })
    withoutDescribing.set(connection, found)
  }
  return found
}

/** How the rows of statements of one connection are read, by name; no name ever stands for two statements. */
export type Shapes = LRUCache<string, Shape>

/**
 * A named statement whose rows are described once instead of with each run: as long as the name stands for it, the server refuses to give it other
 * columns. A post has 30 of them, and to describe and read them with each run costs a tenth of its page and more of a list (measured).
 */
class NamedQuery extends PgQuery {
  readonly #shapes: Shapes

  constructor(config: { name: string; text: string; values: unknown[] }, onEnd: Ending, shapes: Shapes) {
    // pg copies a config with all its descriptors: 2 % of the main thread under pages of posts (measured).
    super(config.text, config.values, onEnd)
    this.name = config.name
    this.#shapes = shapes
  }

  override prepare(connection: Asked): void {
    const shape = this.#shapes.get(this.name)
    if (!shape) return super.prepare(connection)
    Object.assign(this._result, shape)
    this._accumulateRows = true
    super.prepare(silent(connection))
  }

  override handleCommandComplete(message: unknown, connection: Asked): void {
    super.handleCommandComplete(message, connection)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    if (!this.#shapes.has(this.name)) this.#shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Runs a statement under its name. @param shapes of this connection */
export function runNamed(
  client: pg.ClientBase,
  config: { name: string; text: string; values: unknown[] },
  shapes: Shapes,
): Promise<pg.QueryResult> {
  return new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(new NamedQuery(config, (error, result) => (error ? reject(error) : resolve(result)), shapes))
  }).catch((error: Error) => {
    // It began where the server's reply was read; from here it leads to whoever asked.
    Error.captureStackTrace(error)
    throw error
  })
}
