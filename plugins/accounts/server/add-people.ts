import type { PasswordHash } from '@stoa/sdk/server'
import { fieldErrors, uniqueOr } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'

const MAX_LINES = 5000
/** Each takes 20 MB and a thread for some time. */
const HASHED_AT_ONCE = 4
const EMAIL = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/

interface NewPerson {
  name: string
  email: string
  password: string
}

/** Adds everybody of a text, verified and with the first point of reputation; the first wrong line refuses all. */
export async function addPeople({ ctx, profiles }: AccountTools, text: string): Promise<void> {
  const people = parse(text)
  for (const { line, email } of people) {
    if (await ctx.host.credentials.findByLogin(email)) throw wrong('taken', line)
  }
  // Before the transaction, during which nobody else can write.
  const hashed: PasswordHash[] = []
  for (let at = 0; at < people.length; at += HASHED_AT_ONCE) {
    const some = people.slice(at, at + HASHED_AT_ONCE)
    hashed.push(...(await Promise.all(some.map(({ password }) => ctx.host.credentials.hash(password)))))
  }
  await ctx.db.write(async () => {
    for (const [index, { line, name, email }] of people.entries()) {
      const principal = await ctx.host.credentials
        .create({ login: email, password: hashed[index] as PasswordHash })
        .catch((error: unknown) => {
          throw uniqueOr(error, { 'kernel__principal.login': () => wrong('taken', line) })
        })
      await profiles.create(principal, name, { rank: 1, byAdmin: true })
    }
  })
}

function parse(text: string): (NewPerson & { line: number })[] {
  const lines = text
    .split(/\r?\n/)
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
    .filter(({ content }) => content)
  if (lines.length === 0) throw fieldErrors({ users: 'validation.required' })
  if (lines.length > MAX_LINES) throw fieldErrors({ users: 'accounts.error.users.too_many' }, { max: MAX_LINES })
  const seen = new Set<string>()
  return lines.map(({ content, line }) => {
    const parts = content.split(',').map((part) => part.trim())
    const [name = '', address = '', password = ''] = parts
    const email = address.toLowerCase()
    if (parts.length !== 3) throw wrong('parts', line)
    if (name.length < 2 || Array.from(name).length > 30) throw wrong('name', line)
    if (!EMAIL.test(email) || email.length > 254) throw wrong('email', line)
    if (password.length < 8 || password.length > 32) throw wrong('password', line)
    if (seen.has(email)) throw wrong('taken', line)
    seen.add(email)
    return { name, email, password, line }
  })
}

/** The message names the line and what is wrong, never the password. */
const wrong = (what: 'parts' | 'name' | 'email' | 'password' | 'taken', line: number) =>
  fieldErrors({ users: `accounts.error.users.${what}` }, { line })
