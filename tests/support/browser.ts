import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { chromium } from 'playwright'

const SHELL = '/usr/bin/chromium-headless-shell'

/** Without a window's own pages (tab strip, start page) a journey costs half of the processor time; where only the whole Chromium is, that one does. */
const SYSTEM = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Path of a Chromium: `STOA_CHROMIUM`, the system's, Playwright's own, and where none is there, one that is installed now
 * (with a Chinese font as Debian packages when we are root, else by Playwright).
 */
export function findChromium(): string {
  const given = process.env.STOA_CHROMIUM
  if (given) {
    if (!existsSync(given)) throw new Error(`STOA_CHROMIUM is "${given}", where no file is; it must be the path of a Chromium`)
    return given
  }
  return installed() ?? install()
}

/**
 * Path of a Chromium for a whole run. On a machine that installs its packages itself the shell is fetched even where the whole one is: that takes
 * some seconds and saves minutes.
 */
export function prepareChromium(): string {
  if (!process.env.STOA_CHROMIUM && isDebian() && !existsSync(SHELL)) {
    try {
      installShell()
    } catch (error) {
      if (!installed()) throw error
    }
  }
  return findChromium()
}

function installed(): string | undefined {
  return [...SYSTEM, chromium.executablePath()].find((path) => path !== '' && existsSync(path))
}

/** Whether packages can be installed without asking anybody. */
const isDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function installShell(): void {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-cjk'], options)
}

function install(): string {
  if (isDebian()) installShell()
  else {
    const cli = join(import.meta.dirname, '..', '..', 'node_modules', 'playwright', 'cli.js')
    execFileSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
  }
  const path = installed()
  if (path === undefined) throw new Error('No Chromium is there and none could be installed; set STOA_CHROMIUM to the path of one')
  return path
}

/** Starts a Chromium that reaches this machine only; pages of one test share it. Close it at the end. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}
