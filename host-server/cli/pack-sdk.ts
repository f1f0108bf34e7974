import { packSdk } from './sdk-package.ts'

/** `npm run pack:sdk [folder]`: the sdk as a tarball for plugin projects; default folder `build`. */
try {
  console.log(await packSdk(process.argv[2] ?? 'build'))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
