/** What `npm run build` makes one file of: the commands that people wait for. Nothing of one runs before it is asked for. */
export const kernel = () => import('./kernel.ts')
/** Whether this file is made of the present sources. */
export const isCurrent = async () => (await import('./cli/host-build.ts')).isCurrentHost()
/** Serves. */
export const main = () => import('./main.ts')
/** Does what the arguments of this process say. */
export const stoa = () => import('./cli/stoa-command.ts')
