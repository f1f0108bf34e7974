import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** What takes more than a minute (half of one on PostgreSQL) begins before the rest of its part, so that nothing long is left for the end. */
const long = [
  'tests/journeys/pages.test',
  'tests/journeys/steady.test',
  'tests/authors/first-plugin.test',
  'tests/crash/crash.test',
  'tests/zoo/server.test',
  'host-server/tests/command-line.test',
  'tests/contract/visits.test',
  'tests/crash/told.test',
]

function longFirst(files: TestSpecification[]): TestSpecification[] {
  const rank = ({ moduleId }: TestSpecification) => {
    const index = long.findIndex((name) => moduleId.includes(name))
    return index < 0 ? long.length : index
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * Journeys wait for a browser most of the time, so they run beside the tests of the server: one of them between two others, instead of all at the
 * end (measured before: two processors were busy for 55 % of a run). What runs on another database comes in one piece after them.
 */
export default class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isJourney = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/journeys/')
    const elsewhere = longFirst(sorted.filter(({ project }) => project.name === 'postgres'))
    const journeys = longFirst(sorted.filter(isJourney))
    const others = longFirst(sorted.filter((file) => !isJourney(file) && !elsewhere.includes(file)))
    const between = Math.max(1, Math.floor(others.length / (journeys.length + 1) / 2))
    return [
      ...journeys.flatMap((journey, index) => [journey, ...others.slice(index * between, (index + 1) * between)]),
      ...others.slice(journeys.length * between),
      ...elsewhere,
    ]
  }
}
