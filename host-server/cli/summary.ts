import { existsSync, readFileSync } from 'node:fs'

/** Last line of a CI run: `N passed, N failed`, read from what the test run has written. */
const file = 'build/test-results.json'
if (existsSync(file)) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(readFileSync(file, 'utf8'))
  // A file that cannot be loaded fails without a failed test in it.
  const failed = numFailedTests > 0 || success ? numFailedTests : Math.max(1, numFailedTestSuites)
  console.log(`${numPassedTests} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
} else {
  console.log('0 passed, 1 failed')
  process.exitCode = 1
}
