import type { Options, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'

const formats = addFormats as unknown as <A extends Ajv | Ajv2019>(ajv: A) => A

/**
 * Compilers that leave the judging of schemas to one for all: each would make the same judge for itself (measured: a tenth of a start, 30 ms for the
 * first reply of each call in tests).
 */
function judgedBy<A extends Ajv | Ajv2019>(make: new (options: Options) => A): (options: Options) => (schema: object) => ValidateFunction {
  let judge: A | undefined
  return (options) => {
    const ajv = formats(new make({ strict: false, allErrors: true, ...options, validateSchema: false }))
    return (schema) => {
      judge ??= formats(new make({ strict: false }))
      judge.validateSchema(schema, true)
      return ajv.compile(schema)
    }
  }
}

/** @returns compiles schemas of draft 7, all errors of a value said; throws for what is none */
export const compiler = judgedBy(Ajv)
/** The same for draft 2019-09, which knows `unevaluatedProperties`. */
export const compiler2019 = judgedBy(Ajv2019)
