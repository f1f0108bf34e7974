import type { Options, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { COMPILE_PLAINLY } from '../../sdk/kernel/compile-plainly.ts'
import { compiledOnce } from '../shared/compiled-once.ts'

const formats = addFormats as unknown as <A extends Ajv | Ajv2019>(ajv: A) => A

/**
 * Compilers that leave the judging of schemas to one for all: each would make the same judge for itself (measured: a tenth of a start, 30 ms for the
 * first reply of each call in tests). A schema is judged at once and compiled for the first value: most calls of a site are not made in most of its
 * runs (measured: 230 ms of a start). One that refers to another may still be wrong then, so it is compiled at once too.
 */
function judgedBy<A extends Ajv | Ajv2019>(make: new (options: Options) => A): (options: Options) => (schema: object) => Check {
  let judge: A | undefined
  return (options) => {
    let ajv: A | undefined
    const compiling = (): A => {
      ajv ??= formats(new make({ ...COMPILE_PLAINLY, strict: false, allErrors: true, ...options, validateSchema: false }))
      return ajv
    }
    return (schema) => {
      const keyOf = () => JSON.stringify([make.name, options, schema])
      const compile = () => compiledOnce(keyOf, () => compiling().compile(schema))
      judge ??= formats(new make({ ...COMPILE_PLAINLY, strict: false }))
      judge.validateSchema(schema, true)
      return JSON.stringify(schema).includes('"$ref"') ? compile() : onDemand(compile)
    }
  }
}

/** Says whether a value is of its schema; `errors` is what was wrong with the last one. */
export type Check = ((value: unknown) => boolean) & Pick<ValidateFunction, 'errors'>

function onDemand(compile: () => ValidateFunction): Check {
  let compiled: ValidateFunction | undefined
  const check: Check = (value) => {
    compiled ??= compile()
    const isValid = compiled(value)
    check.errors = compiled.errors
    return isValid
  }
  return check
}

/** @returns compiles schemas of draft 7, all errors of a value said; throws for what is none */
export const compiler = judgedBy(Ajv)
/** The same for draft 2019-09, which knows `unevaluatedProperties`. */
export const compiler2019 = judgedBy(Ajv2019)
