import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Configuration } from '@rspack/core'
import { rspack } from '@rspack/core'
import type { BrowserContext, Page } from 'playwright'
import { launchBrowser } from '../../../tests/support/browser.ts'

export interface Kit {
  /** In place of the one before: the page rendered on the server and taken over by a browser, under the policy that sites have. */
  open(options?: { language?: string; scheme?: string; width?: number; javaScript?: boolean }): Promise<Page>
  /** Unix seconds of the moment that the page shows. */
  at: number
  close(): Promise<void>
}

const origin = 'http://kit.test'
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"

/** Builds the page of all components and starts a browser. */
export async function openKit(): Promise<Kit> {
  const out = mkdtempSync(join(tmpdir(), 'kit-'))
  await build(out)
  const { render } = (await import(pathToFileURL(join(out, 'server.mjs')).href)) as {
    render(language: string, at: number, address: string): string
  }
  const browser = await launchBrowser()
  let context: BrowserContext | undefined
  const at = Math.floor(Date.now() / 1000) - 3.5 * 3600
  return {
    at,
    async open({ language = 'en_US', scheme = 'light', width = 1280, javaScript = true } = {}) {
      await context?.close()
      context = await browser.newContext({ viewport: { width, height: 800 }, javaScriptEnabled: javaScript })
      const page = await context.newPage()
      await page.route('**/*', (route) => {
        const { pathname, search } = new URL(route.request().url())
        const type = { '.js': 'text/javascript', '.css': 'text/css' }[extname(pathname)]
        if (type && existsSync(join(out, pathname))) return route.fulfill({ contentType: type, body: readFileSync(join(out, pathname)) })
        if (pathname !== '/list') return route.fulfill({ status: 404 })
        const html = `<!doctype html><html lang="${language.replace('_', '-')}" data-scheme="${scheme}" data-at="${at}"><title>Kit</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/main.css"><div id="root">${render(language, at, pathname + search)}</div><script type="module" src="/main.js"></script></html>`
        return route.fulfill({ contentType: 'text/html; charset=utf-8', headers: { 'content-security-policy': policy }, body: html })
      })
      // A page that cannot be drawn fails here, with its reason, and not by waiting for it.
      render(language, at, '/list?order=hot&page=3')
      await page.goto(`${origin}/list?order=hot&page=3`)
      if (javaScript) await page.locator('pre + button').waitFor()
      return page
    },
    async close() {
      await browser.close()
      rmSync(out, { recursive: true })
    },
  }
}

function build(out: string): Promise<void> {
  const common = (isServer: boolean): Configuration => ({
    mode: 'production',
    context: import.meta.dirname,
    devtool: false,
    optimization: { minimize: false },
    performance: false,
    resolve: { extensions: ['.ts', '.tsx', '.js', '.json'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          type: 'javascript/auto',
          loader: 'builtin:swc-loader',
          options: {
            jsc: { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } }, target: 'es2022' },
          },
        },
        { test: /\.css$/, type: 'css/auto' },
      ],
      generator: { 'css/auto': { exportsConvention: 'camel-case', ...(isServer ? { exportsOnly: true } : {}) } },
      parser: { 'css/auto': { namedExports: false } },
    },
  })
  const web: Configuration = {
    ...common(false),
    target: ['web', 'es2022'],
    entry: { main: './kit-browser.fixture.tsx' },
    output: { path: out, filename: '[name].js', cssFilename: '[name].css', uniqueName: 'kit' },
  }
  const node: Configuration = {
    ...common(true),
    target: 'node22',
    entry: { server: './kit-server.fixture.tsx' },
    output: { path: out, filename: '[name].mjs', module: true, chunkFormat: 'module', library: { type: 'module' }, uniqueName: 'kit' },
  }
  return new Promise((resolve, reject) => {
    rspack([web, node]).run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString({ all: false, errors: true })))
      else resolve()
    })
  })
}
