import { defineReads, reading } from '@stoa/sdk/server'
import { recommended, recommendedPage } from './read-recommended.ts'

export default defineReads({ functions: [reading(recommended, recommendedPage)] })
