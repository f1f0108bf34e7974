import { protocol } from '../shared/protocol.ts'

/** Where a new plugin is made: among the plugins of the repository, or as a package of its own that has the packed sdk. */
export type Home = 'repository' | 'package'

interface About {
  slug: string
  /** `night-trains` → `Night trains`. */
  title: string
  /** Version of the sdk it is made for. */
  sdk: string
  home: Home
}

/** Beside "from" they would be addressed as JavaScript when the sdk is packed. */
const API = '../shared/api.ts'
const SCHEMAS = '../shared/schemas.ts'
const OWN_SCHEMAS = './schemas.ts'

/** `night-trains` → `nightTrainsCalls`. */
const calls = (slug: string): string => `${slug.replace(/-+(.)/g, (_, letter: string) => letter.toUpperCase())}Calls`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Files of a plugin that runs at once: a page, the call behind it, texts in both languages, and a test. Path → content. */
export function pluginTemplate(about: About): Record<string, string> {
  const { slug, title, sdk, home } = about
  const call = `${protocol.public}/${slug}`
  return {
    'package.json': packageJson(about),
    'plugin.json': json({
      $schema: home === 'package' ? './node_modules/@stoa/sdk/shared/manifest.schema.json' : '../../sdk/shared/manifest.schema.json',
      slug,
      version: '0.1.0',
      type: 'route',
      sdk: `^${sdk}`,
      provides: { [slug]: '0.1.0' },
      contributes: {
        routes: [{ path: `/${slug}`, module: 'web/page.tsx', layout: 'side', render: 'server', title: 'page.title' }],
        navigation: [{ place: 'side', path: `/${slug}`, text: 'page.title', icon: 'zap', order: 80 }],
      },
    }),
    'shared/schemas.ts': `import { Type } from '@stoa/sdk/schema'

/** What calls take and give; never part of a page. */
export const greeting = { reply: Type.Object({ greeting: Type.String() }) }
`,
    'shared/api.ts': `import { call } from '@stoa/sdk'
import type * as schemas from '${OWN_SCHEMAS}'

/** What others may know: pages of this plugin, and other plugins. */
export const ${calls(slug)} = {
  greeting: call.get<typeof schemas.greeting>('${slug}'),
}
`,
    'server/index.ts': `import { defineServerPlugin, route } from '@stoa/sdk/server'
import { ${calls(slug)} } from '${API}'
import * as schemas from '${SCHEMAS}'

export default defineServerPlugin({
  activate(_, ctx) {
    ctx.routes([
      route(${calls(slug)}.greeting, schemas.greeting, {
        access: 'visitor',
        summary: 'Greets whoever asks.',
        handle: () => ({ greeting: ctx.host.texts.text('${slug}.greeting', { site: ctx.site.name }) }),
      }),
    ])
  },
})
`,
    'web/page.tsx': `import type { ReplyOf } from '@stoa/sdk'
import { PageTitle } from '@stoa/sdk/ui/page'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { ${calls(slug)} } from '${API}'

/** Runs on the server for the first view and in the browser for later ones. */
export const load = ({ get }: PageRequest) => get(${calls(slug)}.greeting)

export default function Page({ data }: PageProps<ReplyOf<typeof ${calls(slug)}.greeting>>) {
  const t = useText('${slug}')
  return (
    <>
      <PageTitle>{t('page.title')}</PageTitle>
      <p>{data.greeting}</p>
    </>
  )
}
`,
    'locales/en_US.json': json({
      web: { plugin_name: title, plugin_description: 'A new plugin.', page: { title } },
      server: { [`${slug}.greeting`]: 'Welcome to {{site}}.' },
    }),
    'locales/zh_CN.json': json({
      web: { plugin_name: title, plugin_description: '一个新的插件。', page: { title } },
      server: { [`${slug}.greeting`]: '欢迎来到 {{site}}。' },
    }),
    [`tests/${slug}.test.ts`]: about.home === 'repository' ? vitestTest(slug, call) : nodeTest(slug, call),
    'README.md': readme(about),
    ...(about.home === 'package'
      ? {
          'tsconfig.json': json({ extends: '@stoa/sdk/tsconfig.json', exclude: ['dist'] }),
          '.gitignore': 'node_modules/\ndist/\n.stoa/\n',
        }
      : {}),
  }
}

function packageJson({ slug, sdk, home }: About): string {
  const common = { version: '0.1.0', private: true, type: 'module', license: 'Apache-2.0' }
  if (home === 'repository') return json({ name: `@stoa/plugin-${slug}`, ...common })
  return json({
    name: `stoa-plugin-${slug}`,
    ...common,
    scripts: {
      build: 'stoa-plugin build',
      check: 'stoa-plugin check',
      prepack: 'stoa-plugin prepack',
      test: 'stoa-plugin build && node --test "tests/*.test.ts"',
    },
    devDependencies: { '@stoa/sdk': `^${sdk}`, typescript: '^7.0.2' },
  })
}

const vitestTest = (slug: string, call: string): string => `import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('${slug}', () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite({ plugins: ['${slug}', 'locale-zh-cn', 'locale-en-us'] })
  })
  afterAll(() => site.close())

  it('greets in the language of whoever asks', async () => {
    const visitor = site.visitor()
    expect((await visitor.get('${call}')).data).toEqual({ greeting: 'Welcome to Test.' })
    expect((await visitor.speaking('zh_CN').get('${call}')).data).toEqual({ greeting: '欢迎来到 Test。' })
  })

  it('has a page while it is on', async () => {
    expect((await site.visitor().get('/${slug}')).text).toContain('Welcome to Test.')
    await site.switch('${slug}', false)
    expect((await site.visitor().get('/${slug}')).status).toBe(404)
    await site.switch('${slug}', true)
  })
})
`

const nodeTest = (slug: string, call: string): string => `import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'

let site: Site

// A real site with what was built into dist/, started from the checkout of Stoa that STOA_CHECKOUT names.
before(async () => {
  site = await startSite({
    plugins: ['${slug}', 'locale-zh-cn', 'locale-en-us'],
    pluginDirs: [join(import.meta.dirname, '..', 'dist')],
  })
})
after(() => site?.close())

test('greets in the language of whoever asks', async () => {
  const visitor = site.visitor()
  assert.deepEqual((await visitor.get('${call}')).data, { greeting: 'Welcome to Test.' })
  assert.deepEqual((await visitor.speaking('zh_CN').get('${call}')).data, { greeting: '欢迎来到 Test。' })
})

test('has a page', async () => {
  assert.match((await site.visitor().get('/${slug}')).text, /Welcome to Test\\./)
})
`

function readme({ slug, title, home }: About): string {
  const commands =
    home === 'repository'
      ? `npm run dev                                                   # open http://localhost:3000/${slug}
npx vitest run --project sqlite plugins/${slug}`
      : `npm install
npm run check                        # names, texts, types
STOA_CHECKOUT=/path/to/stoa npm test # starts a real site with it
npx stoa-plugin pack                 # → dist/stoa-plugin-${slug}-0.1.0.tgz, for "plugins/" of a site's data directory`
  return `# ${slug}

${title}: say in a sentence what this plugin adds.

- **Pages**: \`/${slug}\`, in the menu at the side.
- **Calls**: \`GET ${protocol.public}/${slug}\`.
- **Offers** its call, in \`shared/api.ts\`. **Uses** nothing of others yet.

\`\`\`sh
${commands}
\`\`\`
`
}
