import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from '../../host-server/cli/site-build.ts'
import { ConfigError } from '../../host-server/config.ts'
import { findPostgres } from '../support/postgres.ts'
import { atAMillion } from './at-a-million.ts'
import { PAGE } from './bare-lists.ts'
import { casesOf } from './cases.ts'
import type { Figure } from './figures.ts'
import { figureTable, isOver } from './figures.ts'
import { paintFigures } from './first-paint.ts'
import { idleFigures } from './idle.ts'
import { editFigures } from './live-edit.ts'
import { longRunFigures } from './long-run.ts'
import type { Measured } from './measure.ts'
import { measure } from './measure.ts'
import { copyOfSqlite, MIX_NAMES, measureMix } from './mix.ts'
import { start, startServer, startSiteWorker, stop } from './processes.ts'
import { openPosts, seededSite } from './seeded-site.ts'
import { soakFigures } from './soak.ts'
import { streamFigures } from './streams.ts'
import { switchFigures } from './switching.ts'
import { isMissed, tableOf } from './table.ts'
import { measureWriting, WRITING } from './writing.ts'

/** Names of the groups of figures that stand alone. */
const GROUPS = ['paint', 'dev', 'switches', 'streams', 'idle', 'million'] as const
/** Details are read of so many open posts, spread over all. */
const DETAILS = 20

/**
 * `npm run bench`: the site beside plain fastify with hand-written statements, on the same data in the same run.
 * Fails where a figure is missing, a request failed or a budget is missed. `--million` compares the lists with a site of that many posts,
 * which is seeded first; `--soak` attacks a site instead of measuring one, and fails where it holds more than 1 GB or keeps others waiting;
 * `--long 30` loads one for 30 minutes while features are switched, and fails where memory, files or waiting grow.
 */
const children: ChildProcess[] = []
try {
  const { posts, only, port, rounds, million, soak, long } = options()
  await buildSite({ mode: 'production' })
  if (soak) {
    const figures = await soakFigures(port)
    console.log(figureTable(figures))
    process.exit(figures.some(isOver) ? 1 : 0)
  }
  if (long > 0) {
    const place = await copyOfSqlite(posts)
    const figures = await longRunFigures(place.dataDir, port, long).finally(place.remove)
    console.log(figureTable(figures))
    process.exit(figures.some(isOver) ? 1 : 0)
  }
  const figures: Figure[] = []
  const mixed = await measureMixes({ posts, only, port, rounds }, figures)
  const { dataDir, seeded } = await seededSite(posts)
  const all = casesOf(seeded.search, openPosts(dataDir, DETAILS))
  const chosen = all.filter(({ name }) => only === undefined || name.includes(only))
  const writes = only === undefined || WRITING.includes(only)
  const groups = GROUPS.filter((name) => (only === undefined || name.includes(only)) && (million || name !== 'million'))
  if (mixed.length + figures.length + chosen.length + groups.length === 0 && !writes)
    throw new ConfigError(
      `--only is "${only}"; it must be part of one of: ${[...MIX_NAMES, ...all.map(({ name }) => name), WRITING, ...GROUPS].join('; ')}.`,
    )

  const launch = async (starting: ChildProcess | Promise<ChildProcess>): Promise<ChildProcess> => {
    const child = await starting
    children.push(child)
    return child
  }
  const ours = await launch(startSiteWorker([dataDir, String(port)]))
  const bare = await launch(startServer('bare-worker.ts', [join(dataDir, 'stoa.db'), String(port + 1)]))
  const sides = {
    ours: { url: `http://127.0.0.1:${port}`, process: ours },
    bare: { url: `http://127.0.0.1:${port + 1}`, process: bare },
    load: await launch(start('load-worker.ts')),
  }

  const measured: Measured[] = []
  const lines = chosen.map((one) => async () => [await measure(one, sides, rounds)])
  if (writes) lines.push(() => measureWriting(dataDir, { launch, port: port + 3, rounds }))
  for (const line of lines) {
    try {
      measured.push(...(await line()))
    } catch (error) {
      console.error((error as Error).message)
      process.exitCode = 1
    }
  }
  if (measured.length > 0) {
    console.log('The same addresses again and again, nobody writes:')
    console.log(tableOf(measured))
  }
  const named = (part: string) => all.filter(({ name }) => name.startsWith(part))
  const measures: Record<(typeof GROUPS)[number], () => Promise<Figure[]>> = {
    paint: () => paintFigures(sides.ours.url),
    dev: editFigures,
    switches: () =>
      switchFigures(
        sides,
        [...named('list, newest'), ...named('detail')].flatMap(({ ours }) => ours),
      ),
    streams: () => streamFigures(sides.ours),
    idle: () => idleFigures(dataDir, port + 2, rounds),
    million: () => atAMillion(named('search'), { launch, load: sides.load, port: port + 2, rounds }),
  }
  for (const group of groups) {
    try {
      figures.push(...(await measures[group]()))
    } catch (error) {
      console.error((error as Error).message)
      process.exitCode = 1
    }
  }
  if (figures.length > 0) console.log(figureTable(figures))
  const isBad = [...mixed, ...measured].some((line) => line.failed > 0 || !Number.isFinite(line.ratio) || isMissed(line))
  if (isBad || figures.some(isOver)) process.exitCode = 1
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : (error as Error).stack)
  process.exitCode = 1
} finally {
  await stop(children)
}

/** The first table: addresses that do not repeat, on both databases. */
async function measureMixes(given: { posts: number; only: string | undefined; port: number; rounds: number }, figures: Figure[]) {
  const { only } = given
  const mixed: Measured[] = []
  if (only !== undefined && !MIX_NAMES.some((name) => name.includes(only))) return mixed
  const postgres = await findPostgres()
  if (!postgres) console.error('The mix is measured on SQLite alone: no PostgreSQL server answers and none could be started.')
  try {
    for (const dialect of ['SQLite', 'PostgreSQL'] as const) {
      if (dialect === 'PostgreSQL' && !postgres) continue
      const made = await measureMix(dialect, { ...given, server: postgres?.url })
      mixed.push(...made.measured)
      figures.push(...made.figures)
    }
  } finally {
    postgres?.stop()
  }
  if (mixed.length === 0) return mixed
  console.log(`${given.posts.toLocaleString('en-US')} posts; budgets are meant for 100,000. cpu: time of all threads per request`)
  console.log('Addresses that do not repeat; bare is the list of the newest on the same database:')
  console.log(tableOf(mixed))
  return mixed
}

function options() {
  const { values } = parseArgs({
    options: {
      posts: { type: 'string', default: '20000' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      port: { type: 'string', default: '3110' },
      million: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      long: { type: 'string', default: '0' },
    },
  })
  const whole = (name: 'posts' | 'rounds' | 'port' | 'long', least: number): number => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < least)
      throw new ConfigError(`--${name} is "${values[name]}"; it must be a whole number of at least ${least}.`)
    return value
  }
  const { only, million, soak } = values
  return { posts: whole('posts', PAGE), rounds: whole('rounds', 1), port: whole('port', 1), long: whole('long', 0), only, million, soak }
}
