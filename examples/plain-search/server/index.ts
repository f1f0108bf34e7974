import { searchEngine } from '@stoa/plugin-search/api'
import { defineServerPlugin } from '@stoa/sdk/server'
import { createEngine } from './engine.ts'

export default defineServerPlugin({
  provides: { engine: searchEngine },
  activate: (_, ctx) => ({ engine: createEngine(ctx) }),
})
