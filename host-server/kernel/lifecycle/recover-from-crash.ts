import { pluginProblems } from '@stoa/sdk/kernel'
import type { RunRecord } from '../../shared/run-record.ts'
import { MOST_ENDS, WITHIN_SECONDS } from '../../shared/run-record.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** Under this name the reason for safe mode is stored beside those of plugins. */
export const KERNEL = 'kernel'

/**
 * Before anything is started: the plugin in whose start the process ended goes into quarantine; where nobody knows whose fault it was and it
 * ends again and again, nothing but what comes with the site is started.
 */
export async function recoverFromCrash(
  { options, inventory }: LifecycleParts,
  { endsTooOften, endedStarting, endedByMemory }: Partial<Pick<RunRecord, 'endsTooOften' | 'endedStarting' | 'endedByMemory'>> = {},
): Promise<void> {
  if (endedByMemory !== undefined)
    options.log(
      'warn',
      KERNEL,
      `The process before this one ended while memory was short: ${endedByMemory}. That is no reason for safe mode.`,
    )
  const { bundled, dropped, kept } = inventory.found
  const guilty = [...bundled, ...dropped, ...kept].find(
    ({ manifest, generation }) => manifest.slug === endedStarting?.slug && generation === endedStarting.generation,
  )
  if (guilty && !guilty.manifest.essential) {
    const problem = pluginProblems.ended()
    options.log('error', guilty.manifest.slug, `Quarantined: ${problem.message}`)
    inventory.fail(guilty.manifest.slug, problem.message)
    await inventory.quarantines.hold(guilty, problem)
  }
  if (!endsTooOften || inventory.stored.safeMode) return
  const reason = `The site ended unexpectedly ${MOST_ENDS} times within ${WITHIN_SECONDS / 60} minutes`
  options.log('error', KERNEL, `${reason}: it starts in safe mode`)
  await inventory.save({ safeMode: true, reasons: new Map([[KERNEL, reason]]) })
  inventory.reasons.set(KERNEL, reason)
}
