/** Serves as `npm start` does once nothing is stale: to be run by a process of its own. */
const commands = (await import(new URL('../../build/host/commands.mjs', import.meta.url).href)) as typeof import('../commands.ts')
await commands.main()
