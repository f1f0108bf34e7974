import type { Provided } from '@stoa/sdk/server'
import type { StaffLog } from '../../audit/shared/api.ts'
import type { UploadedFiles } from '../../uploads/shared/api.ts'
import type { PersonalData } from '../shared/api.ts'

/** Plugins that hold personal data and are on; whoever stores files comes first, since the others' texts show them. */
export type Holders = () => Provided<PersonalData>[]

/**
 * Plugins that hold personal data and are on. Files and the staff log are kept by plugins that this one uses, so they cannot provide this plugin's
 * contract; files come first, since texts that go say so of their pictures.
 */
export function dataHolders(
  providers: Provided<PersonalData>[],
  files: UploadedFiles | undefined,
  log: StaffLog | undefined,
): Provided<PersonalData>[] {
  return [
    ...(files ? [{ slug: 'uploads', service: files.personalData }] : []),
    ...(log ? [{ slug: 'audit', service: log.personalData }] : []),
    ...providers,
  ]
}
