import { CodedError, isCodedError } from '@stoa/sdk'

/** Where to mend it, by what the kernel found; what is not here is said without a field. */
const fields = new Map([
  ['host', 'db_host'],
  ['port', 'db_host'],
  ['silent', 'db_host'],
  ['stranger', 'db_host'],
  ['encryption', 'db_host'],
  ['old', 'db_host'],
  ['full', 'db_host'],
  ['password', 'db_password'],
  ['name', 'db_name'],
  ['permission', 'db_username'],
])

/** A database's refusal, said of the field that it is about; anything else as it is. @param note takes the reason in the driver's words */
export function atItsField(error: unknown, note: (message: string) => void): unknown {
  if (!isCodedError(error)) return error
  note(error.message)
  const why = String(error.params.why)
  const field = fields.get(why)
  if (field === undefined) return error
  return new CodedError(error.code, { status: error.status, message: error.message }, {}, [
    { error_field: field, error_msg: `error.install.database_${why}` },
  ])
}
