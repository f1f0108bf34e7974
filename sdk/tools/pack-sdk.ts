import { join } from 'node:path'
import { packContracts } from './contract-packages.ts'
import { packSdk } from './sdk-package.ts'

/** `npm run pack:sdk [folder]`: the sdk as a tarball for plugin projects, and beside it those of the contracts of our plugins; default folder `build`. */
const out = process.argv[2] ?? 'build'
try {
  for (const tarball of [await packSdk(out), ...(await packContracts(join(out, 'contracts')))]) console.log(tarball)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
