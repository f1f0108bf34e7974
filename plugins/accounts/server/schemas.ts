import { Type } from '@stoa/sdk/server'

export const email = Type.String({ minLength: 1, maxLength: 254, format: 'email' })
export const password = Type.String({ minLength: 8, maxLength: 32 })
export const code = Type.String({ minLength: 1, maxLength: 500 })
export const userId = Type.String({ minLength: 1, maxLength: 20 })
