import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { roles } from '@stoa/sdk'
import { unknownNames } from '@stoa/sdk/kernel'
import type { Without } from '@stoa/sdk/manifest'
import { dumpDatabase } from '../data/db/dump.ts'
import type { PackageState, PluginChange } from '../data/site/plugin-states.ts'
import { noPackage } from '../data/site/plugin-states.ts'
import { KERNEL } from '../kernel/lifecycle/recover-from-crash.ts'
import { contractedStep } from '../kernel/packages/contracted.ts'
import { readPlugin } from '../kernel/packages/scan-folders.ts'
import { chosenNow, rolledBack } from '../kernel/packages/versions.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import type { Operator } from './operator.ts'
import { CommandError, UsageError } from './operator.ts'

export interface CommandOptions {
  yes: boolean
  json: boolean
  data: boolean
  email: string | undefined
  password: string | undefined
  /** Asks the person at the terminal; false where there is none. */
  confirm(question: string): Promise<boolean>
  say(text: string): void
}

export type Command = (operator: Operator, argument: string, options: CommandOptions) => Promise<void>

const later = (sites: number): string => (sites === 0 ? ' No site runs on this data; it counts from the next start on.' : '')

/** What the site made of a decision about a plugin. @throws CommandError with its reason */
function refuseIfTakenBack(operator: Operator, slug: string, isAsDecided: boolean): void {
  const reason = operator.stored.reasons.get(slug)
  if (!isAsDecided || reason) throw new CommandError(`${slug} did not start: ${reason ?? 'the site has taken it back'}`)
}

const worksWithout = ({ contract, range, version }: Without): string => `works without ${contract}: built for ${range}, ${version} is on`

const list: Command = async (operator, _, { json, say }) => {
  const rows = operator.list()
  if (json) return say(JSON.stringify({ safe_mode: operator.stored.safeMode, epoch: operator.stored.epoch, plugins: rows }, null, 2))
  const width = (column: (row: (typeof rows)[number]) => string) => Math.max(...rows.map((row) => column(row).length))
  const [slugs, versions] = [width((row) => row.slug), width((row) => row.version)]
  const own = operator.stored.reasons.get(KERNEL)
  if (operator.stored.safeMode) say(`Safe mode: nothing but what comes with the site runs.${own ? ` ${own}.` : ''}`)
  for (const row of rows) {
    const notes = [
      row.essential ? 'essential' : '',
      row.origin === 'installed' ? 'installed' : '',
      row.reason,
      ...row.without.map(worksWithout),
    ]
      .filter(Boolean)
      .join('; ')
    say(`${row.slug.padEnd(slugs)}  ${row.version.padEnd(versions)}  ${row.state.padEnd(11)}  ${notes}`.trimEnd())
  }
  const left = (await operator.data.slugsWithData()).filter((slug) => !rows.some((row) => row.slug === slug))
  if (left.length > 0) say(`Removed, with data that is still there: ${left.join(', ')}. "stoa remove <slug> --data" deletes it.`)
}

const switchTo =
  (on: boolean): Command =>
  async (operator, slug, options) => {
    const plugin = operator.find(slug)
    const { alsoOn, alsoOff } = operator.consequences(slug, on)
    const coming = on ? [slug, ...alsoOn] : alsoOn
    const leaving = on ? alsoOff : [slug, ...alsoOff]
    operator.refuseLastOfKind(leaving, coming)
    const went = on ? ((await operator.data.switches.wentAlong()).get(slug) ?? []) : []
    const warnings = [
      !on && plugin.manifest.essential ? `${slug} is essential: the site may be of little use without it.` : '',
      alsoOff.length > 0 ? `Also goes off: ${alsoOff.join(', ')}.` : '',
      alsoOn.length > 0 ? `Also goes on: ${alsoOn.join(', ')}.` : '',
    ].filter(Boolean)
    if (warnings.length > 0 && !options.yes && !(await options.confirm(`${warnings.join(' ')} Go on?`)))
      throw new CommandError(`${warnings.join(' ')} Nothing was changed; "--yes" agrees to it.`)
    const fresh = new Map<string, DiscoveredPlugin>()
    for (const name of coming) fresh.set(name, await operator.store.copyToStore(operator.find(name)))
    for (const name of [...coming, ...leaving]) await operator.data.plugins.endQuarantine(name)
    const sites = await operator.decide(() => ({
      cause: slug,
      enabled: new Map([...coming.map((name) => [name, true] as const), ...leaving.map((name) => [name, false] as const)]),
      reasons: new Map([...coming, ...leaving].map((name) => [name, ''])),
      packages: new Map(
        coming.map((name) => {
          const state = { ...(operator.stored.packages.get(name) ?? noPackage), untried: true }
          const kept = fresh.get(name) as DiscoveredPlugin
          const isFromFolder = operator.find(name).key === undefined && kept.key !== undefined
          return [name, isFromFolder ? folderChosen(operator, state, kept) : state]
        }),
      ),
    }))
    if (on && sites > 0) refuseIfTakenBack(operator, slug, operator.stored.enabled.get(slug) === true)
    options.say(`${slug} is ${on ? 'on' : 'off'}.${later(sites)}`)
    const still = went.filter((name) => !coming.includes(name))
    if (still.length > 0) options.say(`Went off along with it and still off: ${still.join(', ')}; "stoa enable <slug>" switches each on.`)
  }

function folderChosen(operator: Operator, state: PackageState, kept: DiscoveredPlugin): PackageState {
  const { chosen, bundled } = operator.versions(kept.manifest.slug)
  return chosenNow(state, kept, chosen, { fromFolder: true, untried: true, bundled })
}

/** The package that a name or path stands for, unpacked into the store. */
async function fetched(operator: Operator, argument: string): Promise<DiscoveredPlugin> {
  const path = resolve(process.env.INIT_CWD ?? '.', argument)
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return await operator.store.unpack(path)
    const read = readPlugin(path, 'installed')
    if ('problem' in read) throw new CommandError(`${argument} was refused: ${read.problem.message}.`)
    return await operator.store.copyToStore(read)
  }
  if (!/^(@[\w.-]+\/)?[\w.-]+(@[\w.^~<>=*-]+)?$/.test(argument) || /\.(tgz|tar\.gz)$/.test(argument))
    throw new CommandError(`"${argument}" is neither a file nor the name of a package.`)
  const folder = mkdtempSync(join(tmpdir(), 'stoa-package-'))
  try {
    const windows = process.platform === 'win32'
    const options = ['--ignore-scripts', '--json', '--loglevel=silent', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']
    await promisify(execFile)(windows ? 'npm.cmd' : 'npm', ['pack', argument, ...options, '--pack-destination', folder], { shell: windows })
    return await operator.store.unpack(join(folder, readdirSync(folder)[0] ?? ''))
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    throw stdout === undefined ? error : new CommandError(`${argument} was not installed: ${whyNpmFailed(argument, stdout)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ERR_SOCKET_TIMEOUT', 'FETCH_ERROR'])

/** One sentence for what `npm --json` says of its failure. */
function whyNpmFailed(argument: string, stdout: string): string {
  const { code = '', summary = '' } = errorIn(stdout)
  if (unreachable.has(code)) return `the registry cannot be reached (${code}). Is it up, and is "npm config get registry" right?`
  if (code === 'E404') return `the registry knows no package of that name.`
  if (code === 'ETARGET') return `the registry has no such version of it.`
  if (code === 'EINTEGRITY')
    return 'what the registry sent is not what it promised to send (its checksum differs). It may be damaged or forged.'
  if (code === 'E401' || code === 'E403') return `the registry does not let you have it (${code}); "npm login" may help.`
  return summary.split('\n')[0] || `npm could not fetch ${argument}.`
}

function errorIn(stdout: string): { code?: string; summary?: string } {
  try {
    return (JSON.parse(stdout) as { error?: object }).error ?? {}
  } catch {
    return {}
  }
}

const install: Command = async (operator, argument, { say }) => {
  let plugin: DiscoveredPlugin
  try {
    plugin = await fetched(operator, argument)
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`${argument} was refused: ${(error as Error).message}`)
  }
  const { slug, version } = plugin.manifest
  await operator.refuseReserved(slug, argument)
  const others = operator.plugins().map((other) => other.manifest)
  for (const warning of unknownNames(plugin.manifest, others)) say(`Warning: ${warning}`)
  const wasOn = operator.plugins().some((other) => other.manifest.slug === slug && operator.isOn(other))
  await operator.data.plugins.endQuarantine(slug)
  const sites = await operator.decide(() => {
    const { chosen, bundled } = operator.versions(slug)
    const before = chosen?.key !== undefined || chosen?.origin === 'bundled' ? chosen : undefined
    return {
      packages: new Map([[slug, chosenNow(operator.stored.packages.get(slug), plugin, before, { pinned: true, untried: true, bundled })]]),
      reasons: new Map([[slug, '']]),
    }
  })
  if (wasOn && sites > 0) refuseIfTakenBack(operator, slug, operator.stored.packages.get(slug)?.chosen === plugin.key)
  say(`${slug} ${version} is installed.${wasOn ? '' : ` It is off; "stoa enable ${slug}" switches it on.`}${wasOn ? later(sites) : ''}`)
}

const rollback: Command = async (operator, slug, { yes, confirm, say }) => {
  operator.find(slug)
  const [target] = operator.versions(slug).before
  if (!target) throw new CommandError(`There is no version of ${slug} to go back to.`)
  const step = await contractedStep(operator.data, target)
  if (step !== undefined)
    throw new CommandError(`Version ${target.manifest.version} of ${slug} cannot run any more: ${step} has removed what it needs.`)
  const held = operator.heldVersion(slug)
  if (held?.generation === target.generation) {
    const warning = `Version ${target.manifest.version} of ${slug} is in quarantine: ${held.problem.message}.`
    if (!yes && !(await confirm(`${warning} Go back to it nevertheless?`)))
      throw new CommandError(`${warning} Nothing was changed; "--yes" agrees to it.`)
    await operator.data.plugins.endQuarantine(slug)
  }
  const state = operator.stored.packages.get(slug) as PackageState
  const sites = await operator.decide(() => ({
    packages: new Map([[slug, rolledBack(state, target, operator.lying(slug))]]),
    reasons: new Map([[slug, '']]),
  }))
  if (sites > 0) refuseIfTakenBack(operator, slug, true)
  say(`${slug} is back at ${target.manifest.version}.${later(sites)}`)
}

/** What a plugin that was removed before has left. */
const eraseLeft: Command = async (operator, slug, { yes, confirm, say }) => {
  const warning = `All data of ${slug} is deleted for good.`
  if (!yes && !(await confirm(`${warning} Go on?`))) throw new CommandError(`${warning} Nothing was changed; "--yes" agrees to it.`)
  await operator.data.erase(slug)
  say(`The data of ${slug} is deleted.`)
}

const remove: Command = async (operator, slug, options) => {
  const folders = operator.dropped(slug)
  const { bundled } = operator.versions(slug)
  if (!operator.isInstalled(slug)) {
    if (options.data && !operator.isKnown(slug) && (await operator.data.hasDataOf(slug))) return await eraseLeft(operator, slug, options)
    operator.find(slug)
    throw new CommandError(`${slug} comes with the site and cannot be removed; "stoa disable ${slug}" switches it off.`)
  }
  if (options.data && bundled) throw new CommandError(`${slug} goes on in the version that comes with the site; its data stays.`)
  const { alsoOff } = bundled ? { alsoOff: [] } : operator.consequences(slug, false)
  if (!bundled) operator.refuseLastOfKind([slug, ...alsoOff])
  const warnings = [
    alsoOff.length > 0 ? `Also goes off: ${alsoOff.join(', ')}.` : '',
    options.data ? `All data of ${slug} is deleted for good.` : '',
  ].filter(Boolean)
  if (warnings.length > 0 && !options.yes && !(await options.confirm(`${warnings.join(' ')} Go on?`)))
    throw new CommandError(`${warnings.join(' ')} Nothing was changed; "--yes" agrees to it.`)
  const off = bundled ? [] : [slug, ...alsoOff]
  const change: PluginChange = {
    packages: new Map([[slug, noPackage]]),
    reasons: new Map([[slug, '']]),
    enabled: new Map(off.map((name) => [name, false])),
    cause: slug,
  }
  const sites = await operator.decide(() => change)
  await operator.store.remove(slug, folders)
  await operator.data.plugins.endQuarantine(slug)
  if (options.data) await operator.data.erase(slug)
  const rest = bundled
    ? ` Version ${bundled.manifest.version}, which comes with the site, is back.`
    : options.data
      ? ''
      : ' Its data stays.'
  options.say(`${slug} is removed.${rest}${later(sites)}`)
}

const safeMode: Command = async (operator, argument, { say }) => {
  if (argument !== 'on' && argument !== 'off') throw new UsageError(`"stoa safe-mode ${argument}" is unknown; it is "on" or "off".`)
  const sites = await operator.decide(() => ({ safeMode: argument === 'on', reasons: new Map([[KERNEL, '']]) }))
  say(`${argument === 'on' ? 'Safe mode is on: nothing but what comes with the site runs.' : 'Safe mode is off.'}${later(sites)}`)
}

const createAdmin: Command = async ({ data }, _, { email, password, say }) => {
  if (!data.site.installed) throw new CommandError('The site is not set up yet; its first admin is made by the installation.')
  if (!email) throw new CommandError('--email is missing; it must be an e-mail address.')
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new CommandError(`--email is "${email}", which is no e-mail address.`)
  if (password !== undefined && (password.length < 8 || password.length > 32))
    throw new CommandError('--password must have 8 to 32 characters.')
  const known = await data.credentials.findByLogin(email)
  const chosen = password ?? (known?.hasPassword ? undefined : randomBytes(12).toString('base64url'))
  await data.database.write(async () => {
    if (!known)
      return void (await data.credentials.create({ login: email, password: chosen as string, role: roles.admin, state: 'normal' }))
    await data.credentials.setRole(known.id, roles.admin)
    await data.credentials.setState(known.id, 'normal')
    if (chosen !== undefined) await data.credentials.setPassword(known.id, chosen)
  })
  say(`${email} is an admin.${chosen !== undefined && password === undefined ? ` The password is ${chosen}` : ''}`)
}

const rescueLink: Command = async ({ data }, _, { say }) => {
  const link = `/rescue?link=${await data.rescue.makeLink()}`
  say(data.site.url ? `${data.site.url}${link}` : link)
  say('It works once, within 15 minutes.')
}

const dump: Command = async ({ data }, argument, { say }) => {
  const file = resolve(process.env.INIT_CWD ?? '.', argument)
  if (existsSync(file)) throw new CommandError(`${argument} is there already; name a file that is not.`)
  try {
    await dumpDatabase(data.readerConfig, file)
  } catch (error) {
    throw new CommandError(`${argument} was not written: ${(error as Error).message}`)
  }
  say(`${argument} holds the whole database. Uploads are the files of "uploads" in the data directory.`)
}

export interface KernelCommand {
  run: Command
  argument?: string
  help: string
}

/** Serves everybody again, or staff only: `reading` leaves others to read. What the owner tells people stays. */
const closeTo =
  (open: boolean): Command =>
  async ({ data }, argument, { say }) => {
    const degree = open ? 'open' : argument
    if (degree !== 'open' && degree !== 'reading' && degree !== 'nobody')
      throw new UsageError('"stoa close reading" lets others read only, "stoa close nobody" serves nobody but staff.')
    await data.site.set({ closure: { ...data.site.closure, degree } })
    const said = {
      open: 'The site serves everybody.',
      reading: 'Nobody but staff changes anything now.',
      nobody: 'The site serves nobody but staff now.',
    }
    say(said[degree])
  }

/** Name → what it does, and the name of its argument. */
export const commands: Record<string, KernelCommand> = {
  list: { run: list, help: 'every plugin with version, state and reason (--json)' },
  enable: { run: switchTo(true), argument: 'slug', help: 'switches a plugin on' },
  disable: { run: switchTo(false), argument: 'slug', help: 'switches a plugin off, an essential one too' },
  install: { run: install, argument: 'file, folder or npm name', help: 'takes a packed plugin; one that runs is replaced' },
  rollback: { run: rollback, argument: 'slug', help: 'goes back to the version that ran before' },
  remove: { run: remove, argument: 'slug', help: 'removes an installed plugin (--data: its data too)' },
  close: { run: closeTo(false), argument: 'reading|nobody', help: 'serves staff only; others read, or see a message' },
  open: { run: closeTo(true), help: 'serves everybody again' },
  'safe-mode': { run: safeMode, argument: 'on|off', help: 'runs nothing but what comes with the site' },
  'create-admin': { run: createAdmin, help: 'makes an admin, or somebody one (--email, --password)' },
  dump: { run: dump, argument: 'file', help: 'writes the whole database into a new file, while the site runs' },
  'rescue-link': { run: rescueLink, help: 'prints a link into the rescue page that works once' },
}
