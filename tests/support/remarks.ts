import type { Reporter, TestCase } from 'vitest/node'

/** Says what a count of tests hides: what passed on the second try only, which has to be mended, and what was left out, with the reason. */
export default class Remarks implements Reporter {
  readonly #secondTries: string[] = []
  readonly #leftOut: string[] = []

  onTestCaseResult(test: TestCase): void {
    const name = `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`
    const result = test.result()
    if (test.diagnostic()?.flaky) {
      const said = result.errors?.map(({ message }) => `\n  ${message.split('\n', 1)[0]}`) ?? []
      this.#secondTries.push(name + said.join(''))
    }
    if (result.state === 'skipped' && test.options.mode === 'run') this.#leftOut.push(`${name}\n  ${result.note ?? 'without a reason'}`)
  }

  onTestRunEnd(): void {
    if (this.#secondTries.length > 0) console.log(`\nPassed on the second try only:\n${this.#secondTries.join('\n')}`)
    if (this.#leftOut.length > 0) console.log(`\nLeft out:\n${this.#leftOut.join('\n')}`)
  }
}
