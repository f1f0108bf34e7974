import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Journeys wait for a browser most of the time, so they run beside the tests of the server: one of them between two others, instead of all at the
 * end (measured before: two processors were busy for 55 % of a run).
 */
export default class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const journeys = sorted.filter(({ project }) => project.name === 'journeys')
    const others = sorted.filter(({ project }) => project.name !== 'journeys')
    if (journeys.length === 0) return others
    const between = Math.max(1, Math.floor(others.length / journeys.length / 2))
    return [
      ...journeys.flatMap((journey, index) => [journey, ...others.slice(index * between, (index + 1) * between)]),
      ...others.slice(journeys.length * between),
    ]
  }
}
