import { gzipSync } from 'node:zlib'
import type { Header } from 'tar-stream'
import { pack } from 'tar-stream'
import type { Toy } from './toys.ts'
import { toyFiles } from './toys.ts'

/** An archive as `npm pack` makes it, of any entries. */
export async function archiveOf(entries: (Partial<Header> & { name: string; content?: string })[]): Promise<Buffer> {
  const tar = pack()
  for (const { content, ...header } of entries) {
    if (content === undefined) tar.entry(header as Header)
    else tar.entry(header as Header, content)
  }
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** A toy as a packed plugin. */
export const packedToy = (slug: string, toy: Toy = {}): Promise<Buffer> =>
  archiveOf(
    Object.entries({ 'package.json': JSON.stringify({ name: slug, scripts: { postinstall: 'exit 1' } }), ...toyFiles(slug, toy) }).map(
      ([name, content]) => ({ name: `package/${name}`, content }),
    ),
  )
