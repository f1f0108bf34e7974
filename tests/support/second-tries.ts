import type { Reporter, TestCase } from 'vitest/node'

/** Names every test that passed only on its second try, with what the first one said: such a test, or what it tests, has to be mended. */
export default class SecondTries implements Reporter {
  readonly #found: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const said = test.result().errors?.map(({ message }) => message.split('\n', 1)[0])
    this.#found.push([`${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`, ...(said ?? [])].join('\n  '))
  }

  onTestRunEnd(): void {
    if (this.#found.length > 0) console.log(`\nPassed on the second try only:\n${this.#found.join('\n')}\n`)
  }
}
