import type { WebFacts } from '../../sdk/pages/page-state.ts'
import { CORE_FILES } from '../../sdk/pages/page-state.ts'

/** Core's own runtime, see `rspack.ts`. */
declare const __webpack_require__: { C(chunk: unknown): void }

export interface Container {
  get(expose: string): Promise<() => unknown>
  init(scope: unknown): unknown
}
type Entry = (address: string, load: (path: string) => Promise<unknown>) => Container

/** Of one folder of files, as the host joined them: containers and chunks as functions. */
interface JoinedFolder {
  /** Its first line in the file. */
  line: number
  facts?: WebFacts
  files: Record<string, Entry | (() => unknown)>
}

/** The files that the document was drawn with, all in one. */
export interface JoinedScripts {
  has(address: string): boolean
  facts(folder: string): WebFacts | undefined
  /** The container of an entry that is in it; its other chunks it loads as ever. */
  container(entry: string): Container | undefined
}

/** Folders of the joined file by their first line, the last one first. */
let begins: [line: number, folder: string][] = []

/** A stack with the folders of plugins in place of the file that holds many. */
export const ownStack = (stack: string): string =>
  stack.replace(/\/static\/joined\/[^\s()]+?\.js:(\d+)/g, (place, line) => {
    const folder = begins.find(([first]) => first <= Number(line))?.[1]
    return folder === undefined ? place : `${folder}joined:${line}`
  })

/** Takes over what the document names. Whatever is missing is loaded file by file. */
export async function openJoined(): Promise<JoinedScripts> {
  const link = document.head.querySelector<HTMLLinkElement>('link[rel=modulepreload][data-joined]')
  const folders = link ? await loadFolders(link.href) : {}
  begins = Object.entries(folders).map(([folder, { line }]): [number, string] => [line, folder])
  begins.reverse()
  for (const chunk of Object.values(folders[CORE_FILES]?.files ?? {})) __webpack_require__.C((chunk as () => unknown)())
  const find = (address: string) => {
    const { pathname } = new URL(address, location.href)
    const cut = pathname.lastIndexOf('/') + 1
    const folder = pathname.slice(0, cut)
    return { folder, file: folders[folder]?.files[pathname.slice(cut)] }
  }
  return {
    has: (address) => find(address).file !== undefined,
    facts: (folder) => folders[folder]?.facts,
    container(entry) {
      const { folder, file } = find(entry)
      if (!file) return undefined
      return (file as Entry)(new URL(entry, location.href).href, async (path) => {
        const address = folder + path.slice('./'.length)
        const chunk = find(address).file as (() => unknown) | undefined
        return chunk ? chunk() : import(/* webpackIgnore: true */ address)
      })
    },
  }
}

async function loadFolders(address: string): Promise<Record<string, JoinedFolder>> {
  try {
    return ((await import(/* webpackIgnore: true */ address)) as { default: Record<string, JoinedFolder> }).default
  } catch (error) {
    console.warn('The scripts of this page are loaded one by one', error)
    return {}
  }
}
