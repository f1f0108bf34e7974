import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const sources = globSync('{core,examples,plugins,sdk}/**/*.tsx', {
  cwd: root,
  exclude: (name) => /node_modules|^build$/.test(String(name)),
})

/** Opening tags of forms, comments left out. */
const forms = sources.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?<![`'/])<form(?=[\s>])[\s\S]*?(?<!=)>/g)].map(([tag]) => ({ file, tag })),
)

describe('a form', () => {
  it('says how it is sent: without a method, what is typed goes into the address', () => {
    expect(forms.length).toBeGreaterThan(10)
    expect(forms.filter(({ tag }) => !/\smethod="(post|get)"/.test(tag))).toEqual([])
  })

  it('that is sent by address asks for nothing secret', () => {
    const asking = forms.filter(({ tag }) => tag.includes('method="get"')).map(({ file }) => file)
    expect(asking.filter((file) => readFileSync(join(root, file), 'utf8').includes('password'))).toEqual([])
  })
})
