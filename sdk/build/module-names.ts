/** Name of an exposed module in the container: `web/tag-page.tsx` → `./web/tag-page`. */
export const exposeName = (module: string): string => `./${module.replace(/\.[jt]sx?$/, '')}`
/** Name of its chunk: `tag-page`. */
export const chunkName = (module: string): string =>
  module
    .replace(/\.[jt]sx?$/, '')
    .replace(/^web\//, '')
    .replace(/\W+/g, '-')
/** Name of the container among the chunks; no module can be called so. */
export const CONTAINER = 'stoa.container'
