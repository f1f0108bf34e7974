import type { Provided } from '@stoa/sdk/server'
import type { UploadedFiles } from '../../uploads/shared/api.ts'
import type { PersonalData } from '../shared/api.ts'

/** Plugins that hold personal data and are on; whoever stores files comes first, since the others' texts show them. */
export type Holders = () => Provided<PersonalData>[]

/**
 * Plugins that hold personal data and are on. Files are kept by a plugin that this one uses, so it cannot provide this plugin's contract; it comes
 * first, since texts that go say so of their pictures.
 */
export function dataHolders(providers: Provided<PersonalData>[], files: UploadedFiles | undefined): Provided<PersonalData>[] {
  return [...(files ? [{ slug: 'uploads', service: files.personalData }] : []), ...providers]
}
