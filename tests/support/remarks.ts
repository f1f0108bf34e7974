import type { Reporter, TestCase } from 'vitest/node'

/** Says what a count of tests hides: what was left out, with the reason. */
export default class Remarks implements Reporter {
  readonly #leftOut: string[] = []

  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    if (result.state !== 'skipped' || test.options.mode !== 'run') return
    this.#leftOut.push(`${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}\n  ${result.note ?? 'without a reason'}`)
  }

  onTestRunEnd(): void {
    if (this.#leftOut.length > 0) console.log(`\nLeft out:\n${this.#leftOut.join('\n')}`)
  }
}
