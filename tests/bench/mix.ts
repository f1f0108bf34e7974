import type { ChildProcess } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PAGE } from './bare-lists.ts'
import type { Figure } from './figures.ts'
import type { LoadResult } from './load-worker.ts'
import type { Measured, Sides } from './measure.ts'
import { compare, measureRounds, WARM_LONG } from './measure.ts'
import type { MixAddresses } from './mix-addresses.ts'
import { mixAddresses } from './mix-addresses.ts'
import { ask, start, startServer, startSiteWorker, stop } from './processes.ts'
import { copyOnPostgres, seededOnPostgres, seededSite } from './seeded-site.ts'
import { whileSearching } from './while-searching.ts'
import { anyTag, copyDatabase, signIn } from './writing.ts'

export type Dialect = 'SQLite' | 'PostgreSQL'

interface Row {
  name: string
  paths: keyof MixAddresses
  /** Least share of the bare list on the same database, and milliseconds in which all but a hundredth are answered, at 100,000 posts. Absent: for comparing. */
  budget?: Record<Dialect, number>
  latest?: number
  /** Seconds of it before what counts; default that of other tables. */
  warm?: number
  /** Compression that is taken, as browsers and crawlers do. */
  encoding?: string
}

const ROWS: Row[] = [
  { name: 'lists', paths: 'lists', budget: { SQLite: 0.6, PostgreSQL: 0.5 }, latest: 15 },
  { name: 'detail', paths: 'details', budget: { SQLite: 0.6, PostgreSQL: 0.5 }, latest: 15 },
  { name: 'search', paths: 'searches', budget: { SQLite: 0.06, PostgreSQL: 0.06 }, latest: 60 },
  { name: 'search, other orders', paths: 'ordered' },
  { name: 'post page (HTML)', paths: 'documents', budget: { SQLite: 0.08, PostgreSQL: 0.2 }, latest: 60, warm: WARM_LONG },
  {
    name: 'post page (HTML, br)',
    paths: 'documents',
    budget: { SQLite: 0.08, PostgreSQL: 0.2 },
    latest: 60,
    encoding: 'gzip, deflate, br',
  },
]
const SEARCHING = 'while searching'
export const MIX_NAMES = [...ROWS.map(({ name }) => name), SEARCHING].map((name) => `mix, ${name}`)

const CONNECTIONS = 8
const BARE_PATHS = [1, 2, 3, 4, 5].map((page) => `/list/newest/${page}`)
const SECONDS = { bare: 1, ours: 2 }
const WRITTEN_PER_SECOND = 5
/** Longer than any round. */
const WRITING_SECONDS = 3
const MEGABYTES = 450

interface Surroundings {
  posts: number
  /** Which lines, by a part of their name. */
  only: string | undefined
  /** Address of a PostgreSQL server that lets us make databases; without it that half is left out. */
  server: string | undefined
  /** The first free of two ports. */
  port: number
  rounds: number
}

/**
 * What readers cost who ask for something else each time, alone and while five posts are written a second, beside the bare list of the newest posts
 * on the same database. Works on copies of the seeded sites, so that what others measure stays the same.
 */
export async function measureMix(dialect: Dialect, given: Surroundings): Promise<{ measured: Measured[]; figures: Figure[] }> {
  const place = await (dialect === 'SQLite' ? copyOfSqlite(given.posts) : copyOfPostgres(given.posts, given.server as string))
  const children: ChildProcess[] = []
  const launch = async (starting: ChildProcess | Promise<ChildProcess>): Promise<ChildProcess> => {
    const child = await starting
    children.push(child)
    return child
  }
  try {
    const { port, rounds, only } = given
    const sides: Sides = {
      ours: { url: `http://127.0.0.1:${port}`, process: await launch(startSiteWorker(place.ours(port))) },
      bare: { url: `http://127.0.0.1:${port + 1}`, process: await launch(startServer(...place.bare(port + 1))) },
      load: await launch(start('load-worker.ts')),
    }
    await compareLists(sides)
    const addresses = await mixAddresses(sides.ours.url)
    const writer = await beside(sides.ours.url, await launch(start('load-worker.ts')))
    const measured: Measured[] = []
    const figures: Figure[] = []
    const isWanted = (name: string) => only === undefined || `mix, ${name}`.includes(only)
    let rss = 0
    for (const { name, paths, budget, latest, encoding, warm } of ROWS.filter((row) => isWanted(row.name))) {
      const loads = {
        ours: { paths: () => addresses[paths](), seconds: SECONDS.ours, warm, connections: CONNECTIONS, encoding },
        bare: { paths: BARE_PATHS, seconds: SECONDS.bare, connections: CONNECTIONS },
      }
      const measureLine = (what: string, least?: number) => measureRounds(`${dialect}: ${what}`, loads, sides, rounds, least)
      measured.push(await measureLine(name))
      const line = await writer(() => measureLine(`${name}, while others write`, budget?.[dialect]))
      measured.push({ ...line, ...(latest !== undefined && { latest }) })
      rss = Math.max(rss, (await ask<{ rss: number }>(sides.ours.process, {})).rss)
    }
    if (measured.length > 0) figures.push({ name: `${dialect}: memory during the mix`, value: rss / 2 ** 20, unit: 'MB', most: MEGABYTES })
    if (isWanted(SEARCHING)) {
      const loads: [ChildProcess, ChildProcess] = [sides.load, await launch(start('load-worker.ts'))]
      figures.push(...(await whileSearching(`${dialect}, ${SEARCHING}`, sides.ours.url, addresses, loads, rounds)))
    }
    return { measured, figures }
  } finally {
    await stop(children)
    await place.remove()
  }
}

/** The unit of the table is worth something only while it replies with what the site does. */
async function compareLists(sides: Sides): Promise<void> {
  const ours = BARE_PATHS.map((_, index) => `/answer/api/v1/experience/page?page=${index + 1}&page_size=${PAGE}&order=newest`)
  await compare({ name: 'the bare list', ours, bare: BARE_PATHS, isSame: true }, sides)
}

/** @returns runs something while posts are written, until it ends. @throws when a post is refused */
async function beside(url: string, child: ChildProcess): Promise<<T>(work: () => Promise<T>) => Promise<T>> {
  const written = { authorization: await signIn(url), tag: await anyTag(url) }
  const order = {
    url,
    paths: ['/answer/api/v1/experience'],
    connections: 1,
    seconds: WRITING_SECONDS,
    perSecond: WRITTEN_PER_SECOND,
    written,
  }
  return async (work) => {
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        const { failed, requests } = await ask<LoadResult>(child, order)
        if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} posts were not written`)
      }
    })()
    try {
      return await work()
    } finally {
      isOver = true
      await writing
    }
  }
}

export interface Place {
  dataDir: string
  /** Arguments of the site, by port. */
  ours(port: number): string[]
  /** Script and arguments of the bare server, by port. */
  bare(port: number): [string, string[]]
  remove(): Promise<void>
}

export async function copyOfSqlite(posts: number): Promise<Place> {
  const { dataDir } = await seededSite(posts)
  const copy = `${dataDir}-mix`
  rmSync(copy, { recursive: true, force: true })
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('stoa.db') })
  const file = join(copy, 'stoa.db')
  await copyDatabase(join(dataDir, 'stoa.db'), file)
  return {
    dataDir: copy,
    ours: (port) => [copy, String(port)],
    bare: (port) => ['bare-worker.ts', [file, String(port)]],
    async remove() {
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

async function copyOfPostgres(posts: number, server: string): Promise<Place> {
  const { dataDir } = await seededOnPostgres(posts, server)
  const { databaseUrl, drop } = await copyOnPostgres(posts, server)
  const copy = `${dataDir}-mix`
  rmSync(copy, { recursive: true, force: true })
  cpSync(dataDir, copy, { recursive: true })
  return {
    dataDir: copy,
    ours: (port) => [copy, String(port), databaseUrl],
    bare: (port) => ['bare-postgres.ts', [databaseUrl, String(port)]],
    async remove() {
      await drop()
      rmSync(copy, { recursive: true, force: true })
    },
  }
}
