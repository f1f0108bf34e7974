import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Static imports of files, types included; what is loaded when it is needed may know who asked for it. */
const IMPORT = /^(?:import|export) [^'"]*from '(\.{1,2}\/[^']+)'/gm

const files = globSync('{core,host-server,plugins,sdk}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: (name) => name === 'tests' || name === 'node_modules',
})
  .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))

const arrows = new Map(
  files.map((file) => {
    const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, path]) => join(ROOT, dirname(file), path as string))
    return [file, found.filter((path) => existsSync(path)).map((path) => relative(ROOT, path).replaceAll('\\', '/'))] as const
  }),
)

/** Nodes that lie on a circle: those that are left when all without an arrow to another that is left are taken away, both ways round. */
function circle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  let left = new Set(graph.keys())
  for (;;) {
    const entered = new Set([...left].flatMap((node) => graph.get(node)?.filter((other) => other !== node) ?? []))
    const next = new Set(
      [...left].filter((node) => entered.has(node) && graph.get(node)?.some((other) => other !== node && left.has(other))),
    )
    if (next.size === left.size) return [...left]
    left = next
  }
}

it('no two files of core, server, sdk and a plugin need each other, not even for types', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(circle(arrows)).toEqual([])
})

it('nor do two rooms of the data layer', () => {
  const room = (file: string) => /^host-server\/data\/(\w+)\//.exec(file)?.[1]
  const rooms = new Map<string, string[]>()
  for (const [file, known] of arrows) {
    const from = room(file)
    if (from) rooms.set(from, [...(rooms.get(from) ?? []), ...known.flatMap((other) => room(other) ?? [])])
  }
  expect(rooms.size).toBeGreaterThan(4)
  expect(circle(rooms)).toEqual([])
})
