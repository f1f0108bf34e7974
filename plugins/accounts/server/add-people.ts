import type { PasswordHash, Principal } from '@stoa/sdk/server'
import { fieldErrors, uniqueOr } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { isCommon } from './common-passwords.ts'
import { noteAct } from './staff-acts.ts'

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
export async function addPeople(tools: AccountTools, text: string, adminId: number): Promise<void> {
  const { ctx, profiles, log } = tools
  const people = (await parse(text)).map(({ problem, ...person }) => {
    if (problem) throw wrong(problem, person.line)
    return person
  })
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
    const added: Principal[] = []
    for (const [index, { line, name, email }] of people.entries()) {
      const principal = await ctx.host.credentials
        .create({ login: email, password: hashed[index] as PasswordHash })
        .catch((error: unknown) => {
          throw uniqueOr(error, { 'kernel__principal.login': () => wrong('taken', line) })
        })
      await profiles.create(principal, name, { rank: 1, byAdmin: true })
      added.push(principal)
    }
    const [only] = added
    if (added.length === 1 && only) return noteAct(tools, adminId, 'added', only)
    const changes = [{ field: 'accounts.audit.people_added', from: null, to: added.length }]
    await log.current?.record({ actorId: adminId, action: 'accounts.added_many', changes })
  })
}

/** What is to be said of each line before anybody is added. */
export async function reportOn(
  { ctx }: AccountTools,
  text: string,
): Promise<{ line: number; name: string; e_mail: string; problem: string }[]> {
  const lines = await parse(text)
  const taken = new Set<number>()
  for (const { line, email, problem } of lines) if (!problem && (await ctx.host.credentials.findByLogin(email))) taken.add(line)
  return lines.map(({ line, name, email, problem = taken.has(line) ? 'taken' : undefined }) => ({
    line,
    name: name.slice(0, 60),
    e_mail: email.slice(0, 254),
    problem: problem ? ctx.host.texts.text(`accounts.error.users.${problem}`, { line }) : '',
  }))
}

type Problem = 'parts' | 'name' | 'email' | 'password' | 'common' | 'taken'

async function parse(text: string): Promise<(NewPerson & { line: number; problem: Problem | undefined })[]> {
  const lines = text
    .split(/\r?\n/)
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
    .filter(({ content }) => content)
  if (lines.length === 0) throw fieldErrors({ users: 'validation.required' })
  if (lines.length > MAX_LINES) throw fieldErrors({ users: 'accounts.error.users.too_many' }, { max: MAX_LINES })
  const seen = new Set<string>()
  const people = lines.map(({ content, line }) => {
    const parts = cellsOf(content)
    const [name = '', address = '', password = ''] = parts
    const email = address.toLowerCase()
    const problem = problemOf(parts.length, { name, email, password }, seen)
    seen.add(email)
    return { name, email, password, line, problem }
  })
  return Promise.all(
    people.map(async ({ problem, ...person }) => ({
      ...person,
      problem: problem ?? ((await isCommon(person.password, [person.email, person.name])) ? 'common' : undefined),
    })),
  )
}

/** As spreadsheets copy rows, as they export them (RFC 4180), and as people type: the first of these that is in a line separates it. */
const SEPARATORS = ['\t', ',', ';', '，']

function cellsOf(line: string): string[] {
  const separator = SEPARATORS.find((one) => line.includes(one)) ?? ','
  const cell = new RegExp(`(?:^|${separator})\\s*(?:"((?:[^"]|"")*)"\\s*(?=${separator}|$)|([^${separator}]*))`, 'g')
  return [...line.matchAll(cell)].map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
}

function problemOf(parts: number, { name, email, password }: NewPerson, seen: ReadonlySet<string>): Problem | undefined {
  if (parts !== 3) return 'parts'
  if (name.length < 2 || Array.from(name).length > 30) return 'name'
  if (!EMAIL.test(email) || email.length > 254) return 'email'
  if (password.length < 8 || password.length > 32) return 'password'
  return seen.has(email) ? 'taken' : undefined
}

/** The message names the line and what is wrong, never the password. */
const wrong = (what: Problem, line: number) => fieldErrors({ users: `accounts.error.users.${what}` }, { line })
