import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

type KernelModule = typeof import('../../host-server/kernel.ts')

/** In the repository itself the checkout is two folders up; a project that has the sdk as a package names one. */
const ROOT = resolve(process.env.STOA_CHECKOUT || join(import.meta.dirname, '..', '..'))

/** Where a checkout puts what it builds. */
export const builtFolder = join(ROOT, 'build')

/** @throws when there is no checkout whose kernel a test could start */
export async function kernelOfCheckout(): Promise<KernelModule> {
  const file = join(ROOT, 'host-server', 'kernel.ts')
  if (!existsSync(file))
    throw new Error(
      `Tests start a real site, and ${ROOT} is no checkout of Stoa; set STOA_CHECKOUT to the folder of one in which "npm ci && npm run build" was run`,
    )
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}
