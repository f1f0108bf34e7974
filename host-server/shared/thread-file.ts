import { join } from 'node:path'
import { keptCopy } from './kept-copy.ts'
import { sourceFile } from './source-file.ts'

/**
 * The code that a thread of the server begins with, as it was built: a thread that has to take the types out of its source first holds what does it for as
 * long as it runs, at the first start of a new version (measured: 10 MB and 0.1 s of a processor each).
 * @param built name of the file in `hostDir`
 * @param source path below `host-server/`, for a server that was not built
 * @param hostDir output of the server's own build
 */
export const threadFile = (built: string, source: string, hostDir: string | undefined): string | URL =>
  hostDir === undefined ? sourceFile(source) : keptCopy(join(hostDir, `${built}.mjs`), hostDir)
