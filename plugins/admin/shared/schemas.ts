import { Type } from '@stoa/sdk/schema'

const text = Type.String()

export const lastSaved = {
  query: Type.Object({ page: Type.String({ minLength: 1, maxLength: 200 }) }),
  /** `at` is 0 while nobody has saved the page; without a name it was somebody who is gone. */
  reply: Type.Object({ at: Type.Integer(), username: text, display_name: text }),
}
