import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const WORTH_IT = new Set(['.js', '.mjs', '.css', '.svg'])
/** Smaller ones fit into one packet as they are. */
const LEAST_BYTES = 800

/**
 * Writes `x.js.br` and `x.js.gz` beside each file of a folder (not of those below) that browsers load: once here instead of at each start
 * of each site. They are other forms of the same bytes and no part of what names a plugin.
 */
export async function addCompressedForms(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => WORTH_IT.has(extname(name)))
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const content = await readFile(file)
      if (content.length < LEAST_BYTES) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
      if (br.length < content.length) await writeFile(`${file}.br`, br)
      if (gz.length < content.length) await writeFile(`${file}.gz`, gz)
    }),
  )
}
