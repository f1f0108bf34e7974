import { defineServerPlugin } from '@stoa/sdk/server'
import { searchEngine } from './contract.ts'
import { createEngine } from './engine.ts'

export default defineServerPlugin({
  provides: { engine: searchEngine },
  activate: (_, ctx) => ({ engine: createEngine(ctx) }),
})
