import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { LRUCache } from 'lru-cache'

/** Name of a bundle in stacks → its file. As many as run; those of versions that went are the first to be forgotten. */
const files = new LRUCache<string, string>({ max: 300 })
/** A map is some hundred KB as an object: what fails again and again is logged once. */
const maps = new LRUCache<string, SourceMap>({ max: 4 })

/** Notes where the code lies that stacks call by this name. */
export const noteBundle = (name: string, file: string): void => void files.set(name, file)

/** A stack with the lines of the sources that plugins are written in, where their builds brought a map along. */
export const sourceStack = (stack: string): string =>
  stack.replaceAll(/plugin:\/\/[^\s():]+:(\d+):(\d+)/g, (place, line: string, column: string) => {
    const found = placeIn(place.slice(0, -`:${line}:${column}`.length), Number(line), Number(column))
    return found ?? place
  })

function placeIn(name: string, line: number, column: number): string | undefined {
  const file = files.get(name)
  if (file === undefined) return undefined
  try {
    const map = maps.get(name) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    maps.set(name, map)
    const entry = map.findEntry(line - 1, column - 1)
    return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : undefined
  } catch {
    // No map came along, or it is none.
    return undefined
  }
}
