import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'

const root = join(import.meta.dirname, '../..')
const tokens = readFileSync(join(root, 'sdk/ui/tokens.css'), 'utf8')

/** The kit alone, and each plugin that brings a stylesheet. */
const looks: [name: string, sheet: string][] = [['the kit', '']]
const folders = ['plugins', 'examples'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
for (const folder of folders) {
  const manifest = join(folder, 'plugin.json')
  const styles: string[] = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).contributes?.styles ?? []) : []
  if (styles.length > 0) looks.push([basename(folder), styles.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')])
}

/** Dark, light, in between, and colours without a hue: an owner may choose any. */
const primaries = ['#0033ff', '#c2410c', '#0f766e', '#facc15', '#e11d48', '#777777', '#000000', '#ffffff']

const surfaces = ['surface', 'surface-raised', 'surface-sunken']
const tones = ['success', 'warning', 'danger']

/** Tokens that stand on each other, and the least contrast they need. */
const pairs: [front: string, back: string, least: number][] = [
  ...surfaces.flatMap((back): typeof pairs => [
    ['text', back, 7],
    ...['text-muted', 'accent-text', ...tones].map((front): [string, string, number] => [front, back, 4.5]),
    ['border-control', back, 3],
    ['focus', back, 3],
  ]),
  ['text', 'surface-hover', 7],
  ['text-muted', 'surface-hover', 4.5],
  ['text', 'accent-soft', 7],
  ['text', 'selection', 7],
  ['accent-text', 'accent-soft', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-tone', 'danger', 4.5],
  ['header-text', 'header-surface', 4.5],
  ['header-muted', 'header-surface', 4.5],
  ...tones.flatMap((tone): typeof pairs => [
    [tone, `${tone}-soft`, 4.5],
    ['text', `${tone}-soft`, 7],
  ]),
  ...['keyword', 'string', 'number', 'title', 'aside'].map((part): [string, string, number] => [`code-${part}`, 'surface-sunken', 4.5]),
]

describe.each(looks)('colours of %s can be read', (_, sheet) => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  it.each([
    ['light', 'light'],
    ['light', 'colored'],
    ['dark', 'light'],
    ['dark', 'colored'],
  ])('%s scheme, %s header', async (scheme, navbar) => {
    for (const primary of primaries) {
      const styles = [tokens, `:root { --primary: ${primary} }`, sheet].map((text) => `<style>${text}</style>`)
      await page.setContent(`<html data-scheme="${scheme}" data-navbar="${navbar}">${styles.join('')}<p></p>`)
      const light = await luminances(page)
      const pale = pairs.filter(([front, back, least]) => contrast(light[front], light[back]) < least)
      const found = pale.map(
        ([front, back, least]) => `${front} on ${back}: ${contrast(light[front], light[back]).toFixed(2)}, not ${least}`,
      )
      expect(found, `primary colour ${primary}`).toEqual([])
    }
  })
})

/** Relative luminance of each token. Painted and read back as pixels, so that mixing, clamping and the gamut of a screen count. */
async function luminances(page: Page): Promise<Record<string, number>> {
  const names = [...new Set([...pairs.map(([front]) => front), ...pairs.map(([, back]) => back)])]
  const pixels = await page.evaluate<number[][]>(`(() => {
    const sample = document.querySelector('p')
    const pencil = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    return ${JSON.stringify(names)}.map((name) => {
      sample.style.color = 'var(--' + name + ')'
      pencil.fillStyle = getComputedStyle(sample).color
      pencil.fillRect(0, 0, 1, 1)
      return [...pencil.getImageData(0, 0, 1, 1).data]
    })
  })()`)
  return Object.fromEntries(names.map((name, index) => [name, luminance(pixels[index] as number[])]))
}

/** Source: WCAG 2, relative luminance. */
function luminance(pixel: number[]): number {
  const [red = 0, green = 0, blue = 0] = pixel.map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one = 0, other = 0): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
