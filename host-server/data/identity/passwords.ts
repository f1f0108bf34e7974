import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice for argon2id; computed in the thread pool. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash nobody's password has, so that an unknown address takes as long as a wrong password. */
const nobodys = hash('no password of anybody', cost)

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), cost)

/** @param stored null for somebody unknown or without a password: false, in the usual time */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodys), password.normalize('NFC'))
  return stored !== null && matches
}
