import { defineCommands } from '@stoa/sdk/commands'

/** Rebuilt from the sources, like the full-text index beside them. */
export default defineCommands({ madeAgain: ['search__document', 'search__progress'] })
