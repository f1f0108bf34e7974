import { createHash } from 'node:crypto'

/** What subresource integrity says of a file: `sha384-…`. */
export const integrityOf = (content: Buffer | string): string => `sha384-${createHash('sha384').update(content).digest('base64')}`
