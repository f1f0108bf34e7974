import type { Finding } from '@stoa/sdk/commands'
import type { Config } from '../config.ts'
import type { Operator } from './operator.ts'

/** Something that is looked at; changes nothing. */
export type SiteCheck = (operator: Operator, config: Config) => Promise<Finding[]>
