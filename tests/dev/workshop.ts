import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { DevSite } from '../../host-server/cli/dev-site.ts'
import { startDevSite } from '../../host-server/cli/dev-site.ts'
import { pluginFolders } from '../../host-server/cli/site-folders.ts'

/** Built once, later runs build what has changed. Apart from what `npm run dev` uses. */
const OUT = resolve(import.meta.dirname, '../../build/dev-test')

const files: Record<string, string> = {
  'plugin.json': JSON.stringify({
    slug: 'workbench',
    version: '1.0.0',
    type: 'route',
    sdk: '^1.0.0',
    contributes: { routes: [{ path: '/workbench', module: 'web/page.tsx', layout: 'main', render: 'server', title: 'title' }] },
  }),
  'web/page.tsx': `import { useData, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import styles from './page.module.css'

export default function Workbench() {
  const t = useText('workbench')
  const [count, setCount] = useState(0)
  const { word } = useData<{ word: string }>('/workbench/word')
  return (
    <section className={styles.bench}>
      <h1>First caption</h1>
      <p>{t('greeting')}</p>
      <p>The server says {word}</p>
      <button type="button" onClick={() => setCount(count + 1)}>
        Pressed {count} times
      </button>
    </section>
  )
}
`,
  'web/page.module.css': '.bench { color: rgb(1, 2, 3) }\n',
  'server/index.ts': `import { defineServerPlugin, route, Type } from '@stoa/sdk/server'

export default defineServerPlugin({
  activate: (_, ctx) =>
    ctx.routes([
      route({ method: 'GET', path: '/workbench/word', access: 'open', summary: 'A word', reply: Type.Unknown(), handle: () => ({ word: 'hello' }) }),
    ]),
})
`,
  'locales/en_US.json': JSON.stringify({ web: { title: 'Workbench', greeting: 'Good morning' } }),
  'locales/zh_CN.json': JSON.stringify({ web: { title: '工作台', greeting: '早上好' } }),
}

export interface Workshop {
  site: DevSite
  /** Lines for whoever develops. */
  lines: string[]
  /** Changes a file of the plugin as an editor does. @throws when the text is not there */
  edit(file: string, from: string, to: string): void
  close(): Promise<void>
}

/** A site under development, with a plugin of its own in a temporary folder: page `/workbench`. */
export async function openWorkshop(): Promise<Workshop> {
  const root = mkdtempSync(join(tmpdir(), 'stoa-dev-'))
  const folder = join(root, 'plugins', 'workbench')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const lines: string[] = []
  const site = await startDevSite({
    folders: () => [...pluginFolders(), folder],
    out: { plugins: join(OUT, 'plugins'), core: join(OUT, 'core'), host: join(OUT, 'host') },
    watched: [join(root, 'plugins')],
    kernel: {
      dataDir: join(root, 'data'),
      port: 0,
      host: '127.0.0.1',
      trustProxy: [],
      rateLimits: false,
      install: {
        siteName: 'Workshop',
        language: 'en_US',
        adminName: 'admin',
        adminEmail: 'a@example.org',
        adminPassword: 'correct horse 7',
      },
      log: (level, slug, message) => {
        if (level !== 'info') lines.push(`${slug}: ${message}`)
      },
    },
    say: (line) => lines.push(line),
  })
  return {
    site,
    lines,
    edit(file, from, to) {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
      writeFileSync(path, text.replace(from, to))
    },
    async close() {
      await site.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
