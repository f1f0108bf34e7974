import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Journeys wait for a browser most of the time, so they run beside the tests of the server: one of them between two others, instead of all at the
 * end (measured before: two processors were busy for 55 % of a run). What runs on another database comes in one piece after them.
 */
export default class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isJourney = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/journeys/')
    const elsewhere = sorted.filter(({ project }) => project.name === 'postgres')
    const journeys = sorted.filter(isJourney)
    const others = sorted.filter((file) => !isJourney(file) && !elsewhere.includes(file))
    const between = Math.max(1, Math.floor(others.length / (journeys.length + 1) / 2))
    return [
      ...journeys.flatMap((journey, index) => [journey, ...others.slice(index * between, (index + 1) * between)]),
      ...others.slice(journeys.length * between),
      ...elsewhere,
    ]
  }
}
