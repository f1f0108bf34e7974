import { Type } from '@stoa/sdk/schema'

export const index = { reply: Type.String() }
export const part = { params: Type.Object({ file: Type.String({ maxLength: 100 }) }), reply: Type.String() }
