import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import rootPackage from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..', '..')
const ours = new Set([...Object.keys(rootPackage.dependencies), ...Object.keys(rootPackage.devDependencies)])

/** Packages that projects like this one have, by what they are for. Whoever reads one of these names here takes it for what we use. */
const KNOWN = `
  react-router-dom wouter remix tanstack
  redux zustand recoil mobx valtio jotai swr axios ky superagent
  express koa hapi hono restify fastify-plugin
  webpack vite rollup esbuild parcel turbopack swc-loader ts-node
  prisma drizzle drizzle-orm typeorm sequelize knex objection mongoose ioredis
  zod yup joi superstruct class-validator io-ts
  jest mocha ava jasmine puppeteer cypress selenium-webdriver testing-library playwright-core
  eslint prettier lint-staged husky
  dompurify rehype remark marked showdown unified shiki prismjs
  i18next-http-backend react-i18next intl-messageformat formatjs
  lodash underscore ramda moment dayjs date-fns luxon
  bcrypt bcryptjs passport jsonwebtoken nanoid uuid
  multer busboy formidable jimp gm
  winston pino bunyan morgan
  radix headlessui mui chakra antd tailwindcss bootstrap styled-components emotion
  lexical slate prosemirror tiptap codemirror quill
`
  .trim()
  .split(/\s+/)
const absent = KNOWN.filter((name) => !ours.has(name))

/** Of sources the comments, of documents everything. */
function prose(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (file.endsWith('.md')) return text
  return (text.match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g) ?? []).join('\n')
}

/** Everyday words among them count only where they are written as code. */
const EVERYDAY = new Set([
  'next',
  'express',
  'slate',
  'unified',
  'parcel',
  'marked',
  'remark',
  'bootstrap',
  'emotion',
  'recoil',
  'joi',
  'ava',
  'jest',
  'moment',
  'underscore',
  'swr',
  'ky',
  'emotion',
  'mocha',
  'husky',
  'quill',
  'hono',
  'knex',
  'prisma',
  'vite',
  'remix',
])

function named(text: string): string[] {
  return absent.filter((name) => {
    const escaped = name.replace(/[-/]/g, '\\$&')
    const words = EVERYDAY.has(name) ? `\`${escaped}\`` : `(?<![\\w@/.-])${escaped}(?![\\w/-])`
    return new RegExp(words, 'i').test(text)
  })
}

describe('comments and documents', () => {
  const files = globSync(
    ['{core,host-server,sdk,plugins,examples,tests}/**/*.{ts,tsx,css}', '*.md', '{sdk,plugins,examples,tests}/**/*.md'],
    {
      cwd: ROOT,
    },
  ).filter((file) => !/node_modules|tests[\\/]boundaries[\\/]named-packages|docs[\\/]decisions|CHANGELOG/.test(file))

  it('are read', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(named('It is like `express`, and zustand.')).toEqual(['zustand', 'express'])
  })

  it('name no package that the project does not have', () => {
    expect(files.flatMap((file) => named(prose(file)).map((name) => `${file}: ${name}`))).toEqual([])
  })
})
