#!/usr/bin/env node
/** `npx stoa …`: the command line on the Node.js that the packages bring along, whichever one runs this file. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const brought = join(here, '..', '..', 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const { status } = spawnSync(existsSync(brought) ? brought : process.execPath, [join(here, 'run.mjs'), 'stoa', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
