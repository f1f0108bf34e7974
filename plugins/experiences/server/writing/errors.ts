import { CodedError, defineErrors } from '@stoa/sdk'

/** Codes of the protocol that a posting form may meet, beside those of the contract. */
export const postErrorsTable = defineErrors('error', {
  /** To an edit that names the version it was made from: somebody else was quicker. Its data is a `ChangedMeanwhile`. */
  'experience.changed_meanwhile': { status: 409, message: 'Experience {id} was changed meanwhile' },
  'object.not_found': { status: 400, message: 'No object {id}' },
  'report.not_found': { status: 400, message: 'No reason {type} to close an experience' },
  'common.invalid_url': { status: 400, message: 'A duplicate is named by an address of this site; found {found}' },
})

/** In a write, clients of the protocol expect 400 for a post that is not there. */
export const noSuchPost = (id: unknown) =>
  new CodedError('error.experience.not_found', { status: 400, message: 'No experience {id}' }, { id })
