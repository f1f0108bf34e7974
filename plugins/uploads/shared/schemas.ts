import { Type } from '@stoa/sdk/schema'

/** Absolute address of the file. */
export const upload = { reply: Type.String({ description: 'Absolute address of the file' }) }
