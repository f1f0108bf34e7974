import { Type } from '@stoa/sdk/schema'

export const opened = {
  body: Type.Object({
    /** Public id of the post. */
    id: Type.String({ minLength: 1, maxLength: 100 }),
    /** Whose link it was. */
    username: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  reply: Type.Null(),
}
