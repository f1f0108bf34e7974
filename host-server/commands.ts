/** What `npm run build` makes one file of: the commands that people wait for. Nothing of one runs before it is asked for. */
export const kernel = () => import('./kernel.ts')
/** Serves. */
export const main = () => import('./main.ts')
/** Does what the arguments of this process say. */
export const stoa = () => import('./cli/stoa-command.ts')
