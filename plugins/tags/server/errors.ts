import { CodedError, defineErrors } from '@stoa/sdk'

export const tagRefusals = defineErrors('error.tag', {
  /** To an edit that names the version it was made from: somebody else was quicker. Its data is a `ChangedMeanwhile`. */
  changed_meanwhile: { status: 409, message: 'Tag {name} was changed meanwhile' },
  cannot_set_synonym_as_itself: { status: 400, message: '{name} cannot be a synonym of itself' },
  is_used_cannot_delete: { status: 400, message: 'Tag {name} is on {count} posts or has synonyms' },
  cannot_update: { status: 400, message: 'Tag {name} may not be updated' },
})

/** In a write, and for synonyms, clients of the protocol expect 400 for a tag that is not there. */
export const noSuchTag = (name: unknown) => new CodedError('error.tag.not_found', { status: 400, message: 'No tag {name}' }, { name })

/** Refusal of a form whose `field` is a list of tags; the text of the field names the wrong ones. */
const wrongList = (reason: string, error_msg: string) => (field: string, names: string[]) =>
  new CodedError(reason, { status: 400, message: '{field}: {names}' }, { field, names: names.join(', ') }, [
    { error_field: field, error_msg },
  ])

export const listRefusals = {
  unknown: wrongList('error.tag.not_found', 'tag.list_unknown'),
  synonyms: wrongList('error.tag.not_contain_synonym_tags', 'tag.list_synonyms'),
}
