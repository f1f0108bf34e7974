import { builtCommands } from './built-commands.ts'

/** Also where nothing was built yet. */
const { stoa } = (await builtCommands()) ?? (await import('../commands.ts'))
await stoa()
