import { loadCommands } from './load-commands.ts'

const { stoa } = await loadCommands()
await stoa()
