import { defineReads, reading } from '@stoa/sdk/server'
import { loggedActions, logPage, readActions, readLog } from './read-log.ts'

export default defineReads({ functions: [reading(logPage, readLog), reading(loggedActions, readActions)] })
