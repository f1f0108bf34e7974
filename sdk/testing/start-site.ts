import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kernel, KernelOptions } from '../../host-server/kernel.ts'
import type { PersonState, RoleId } from '../shared/index.ts'
import { roles } from '../shared/index.ts'
import { builtManifests, withNeeds } from './built-plugins.ts'
import { builtFolder, kernelOfCheckout } from './checkout.ts'
import type { TestDatabase } from './database.ts'
import { createDatabase } from './database.ts'
import { readMails } from './mail.ts'
import { makePerson } from './make-person.ts'
import type { TestPerson } from './person.ts'
import { testPerson } from './person.ts'
import type { MakePerson, Site } from './site.ts'

export interface SiteOptions {
  /** Slugs; what they need and what is essential comes along. Default: all. */
  plugins?: string[] | 'all'
  /** Treated as not there at all. */
  leaveOut?: string[]
  /** Default: `STOA_TEST_DATABASE`, else SQLite. PostgreSQL needs a server in `STOA_TEST_PG`. */
  database?: 'sqlite' | 'postgres'
  language?: 'zh_CN' | 'en_US'
  /** Leaves the site as it is before the installation. */
  empty?: boolean
  /** Folders that hold further built plugins, each in a folder of its own, such as the `dist` of a plugin project. */
  pluginDirs?: string[]
  rateLimits?: boolean
  /** Addresses or ranges that plugins may send requests to although they are not public. */
  outgoing?: string[]
  /** Proxies whose `X-Forwarded-For` counts: with `127.0.0.1` a test calls from whatever address it names. */
  trustProxy?: string[]
  /** Another way to make people than the administrator's calls. */
  makePerson?: MakePerson
  /** Puts data of an earlier site in place before this one starts. */
  restore?(into: { dataDir: string; databaseUrl: string | undefined }): Promise<void>
}

const PASSWORD = 'correct horse 7'
const adminLogin = 'admin@example.org'

/** Starts a site for one test. Plugins must have been built (the set-up of a test run does it). Ask for `close` at the end. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { startKernel } = await kernelOfCheckout()
  const { plugins = 'all', database = databaseOfRun(), language = 'en_US' } = options
  const folders = [join(builtFolder, 'plugins'), ...(options.pluginDirs ?? [])]
  const only = plugins === 'all' ? undefined : withNeeds(folders.flatMap(builtManifests), plugins)
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-test-'))
  const own: TestDatabase | undefined = database === 'postgres' ? await createDatabase(serverOfRun()) : undefined
  const errors: string[] = []
  const logged: string[] = []
  let ahead = 0
  const settings: KernelOptions = {
    dataDir,
    port: 0,
    host: '127.0.0.1',
    databaseUrl: own?.url,
    pluginDirs: folders,
    coreDir: join(builtFolder, 'core'),
    hostDir: join(builtFolder, 'host'),
    trustProxy: options.trustProxy ?? [],
    rateLimits: options.rateLimits ?? false,
    ...(options.outgoing && { outgoing: options.outgoing }),
    checkReplies: true,
    preparesPages: false,
    keepsCompiled: true,
    ...(options.empty
      ? {}
      : { install: { siteName: 'Test', language, adminName: 'admin', adminEmail: adminLogin, adminPassword: PASSWORD } }),
    ...(only ? { only } : {}),
    ...(options.leaveOut ? { leaveOut: options.leaveOut } : {}),
    now: () => Math.floor(Date.now() / 1000) + ahead,
    log: (level, slug, message, details) => {
      const line = `${slug}: ${message}${details ? ` ${JSON.stringify(details)}` : ''}`
      logged.push(line)
      if (level === 'error') errors.push(line)
    },
  }
  let kernel: Kernel
  const clean = async () => {
    rmSync(dataDir, { recursive: true, force: true })
    await own?.drop()
  }
  try {
    await options.restore?.({ dataDir, databaseUrl: own?.url })
    kernel = await startKernel(settings)
  } catch (error) {
    await clean()
    throw error
  }
  const people = new Map<string, TestPerson>()

  async function person(name: string, role: RoleId, state: PersonState): Promise<TestPerson> {
    const login = name === 'admin' ? adminLogin : `${name.toLowerCase()}@example.org`
    const key = `${site.url} ${login}`
    const known = people.get(key)
    if (known) return known
    const { credentials } = kernel.data
    if (!(await credentials.findByLogin(login)))
      await (options.makePerson ?? makePerson)(site, { name, login, password: PASSWORD, role, state })
    const made = (await credentials.findByLogin(login)) ?? (await credentials.create({ login, password: PASSWORD, role, state }))
    const { token } = await credentials.openSession(made.id)
    const who = testPerson(site.url, { id: made.id, name, token })
    people.set(key, who)
    return who
  }

  const site: Site = {
    get url() {
      return kernel.url
    },
    dataDir,
    database,
    errors,
    logged,
    get plugins() {
      return kernel.plugins
    },
    admin: () => person('admin', roles.admin, 'normal'),
    moderator: (name = 'moderator') => person(name, roles.moderator, 'normal'),
    member: (name = 'member', state = 'normal') => person(name, roles.user, state),
    visitor: () => testPerson(kernel.url, { id: 0, name: 'visitor', token: '' }),
    mail: async () => {
      await kernel.idle()
      return readMails(dataDir)
    },
    switch: (slug, on) => kernel.plugins.switch(slug, on, kernel.plugins.epoch),
    idle: () => kernel.idle(),
    reload: (slug) => kernel.reload(slug),
    advance: (seconds) => {
      ahead += seconds
    },
    async restart(changes = {}) {
      await kernel.close()
      kernel = await startKernel({ ...settings, ...changes })
    },
    async close() {
      await kernel.close()
      await clean()
    },
  }
  return site
}

function databaseOfRun(): 'sqlite' | 'postgres' {
  return process.env.STOA_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'
}

function serverOfRun(): string {
  const server = process.env.STOA_TEST_PG
  if (!server) throw new Error('STOA_TEST_PG is empty; it must be the address of a PostgreSQL server')
  return server
}
