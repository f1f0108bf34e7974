import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { postKinds } from '../../plugins/experiences/shared/api.ts'
import { plugins } from '../support/plugins.ts'

/** The contract of another plugin, from a workspace or from its package. */
const CONTRACT = /from '(?:(?:\.\.\/)+([a-z0-9-]+)\/shared\/api\.ts|@stoa\/plugin-([a-z0-9-]+)\/api)'/g

/** Who knows which contracts: everything that runs, so not what only tests use. */
const arrows = new Map(
  plugins.map(({ slug, folder }) => {
    const known = globSync('{server,web,shared}/**/*.{ts,tsx}', { cwd: folder }).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(CONTRACT)].map(([, near, packed]) => (near ?? packed) as string),
    )
    return [slug, new Set(known.filter((other) => other !== slug))] as const
  }),
)

const knows = (slug: string, other: string): boolean => arrows.get(slug)?.has(other) === true

/** Plugins in layers: each knows only those of the layers before it. What stands in a circle is in none. */
function layers(): string[][] {
  const found: string[][] = []
  let rest = [...arrows.keys()].sort()
  while (rest.length > 0) {
    const free = rest.filter((slug) => !rest.some((other) => knows(slug, other)))
    if (free.length === 0) break
    found.push(free)
    rest = rest.filter((slug) => !free.includes(slug))
  }
  return found
}

describe('what plugins know of each other', () => {
  it('is read', () => {
    const count = [...arrows.values()].reduce((sum, known) => sum + known.size, 0)
    expect(count).toBeGreaterThan(20)
    for (const known of arrows.values()) for (const other of known) expect([...arrows.keys()]).toContain(other)
  })

  // Nine pairs did not; where each arrow went is said in sdk/docs/decisions. None has to remain.
  it('goes one way between any two', () => {
    const slugs = [...arrows.keys()]
    const mutual = slugs.flatMap((slug) =>
      slugs.filter((other) => slug < other && knows(slug, other) && knows(other, slug)).map((other) => `${slug} ↔ ${other}`),
    )
    expect(mutual).toEqual([])
  })

  it('forms no circle: the whole is a stack of layers', () => {
    expect(layers().flat().sort()).toEqual([...arrows.keys()].sort())
  })

  it('puts those that serve every kind below those that own kinds', () => {
    const level = new Map(layers().flatMap((slugs, index) => slugs.map((slug) => [slug, index])))
    for (const service of ['bookmarks', 'comments', 'follows', 'history', 'search', 'votes']) {
      for (const owner of ['experiences', 'answers']) {
        expect(knows(service, owner), `${service} → ${owner}`).toBe(false)
        expect(level.get(service), `${service} below ${owner}`).toBeLessThan(level.get(owner) as number)
      }
    }
    expect(knows('site', 'accounts')).toBe(false)
    expect(knows('experiences', 'tags')).toBe(false)
  })
})

describe('codes of kinds', () => {
  it('are those of the manifests where the contract of posts repeats them', () => {
    const declared = Object.assign({}, ...plugins.map(({ manifest }) => manifest.kinds))
    expect(declared).toMatchObject(postKinds)
  })
})

describe('plugins that serve every kind', () => {
  const kinds = plugins.flatMap(({ manifest }) => Object.keys(manifest.kinds ?? {}))
  /** Files that may say the name of a kind, with the reason. */
  const named: Record<string, string> = {
    'plugins/follows/server/routes.ts': 'the protocol has a call of its own for one kind that people choose by name',
    'plugins/search/server/earlier-contract.ts': 'version 1.0 of its contract knew one kind that others belong to',
    'plugins/search/server/tables.ts': 'the name of a column that sites have',
  }

  it.each(['bookmarks', 'follows', 'history', 'votes', 'search'])('%s names none', (slug) => {
    const folder = plugins.find((plugin) => plugin.slug === slug)?.folder as string
    const found = globSync('server/**/*.ts', { cwd: folder }).filter((file) => {
      const source = readFileSync(join(folder, file), 'utf8')
      return kinds.some((kind) => new RegExp(`['"\`]${kind}['"\`]`).test(source))
    })
    expect(kinds.length).toBeGreaterThan(3)
    expect(found.map((file) => `plugins/${slug}/${file}`).sort()).toEqual(
      Object.keys(named).filter((file) => file.startsWith(`plugins/${slug}/`)),
    )
  })
})
