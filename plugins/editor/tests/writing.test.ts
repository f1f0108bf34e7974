import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Locator, Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

const picture = () =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: '#39f' } })
    .png()
    .toBuffer()

/** axe, which runs in the page. */
const axe = readFileSync(join(import.meta.dirname, '..', '..', '..', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

describe('writing in the browser', () => {
  let site: Site
  let browser: Browser
  let page: Page
  let text: Locator

  beforeAll(async () => {
    site = await startSite({ plugins: ['editor', 'uploads', 'experiences', 'tags', 'accounts', 'site', 'theme-default', 'locale-en-us'] })
    browser = await launchBrowser()
    const { token } = await site.admin()
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 } })
    await context.addInitScript((value) => localStorage.setItem('stoa:token', JSON.stringify({ v: value, until: null })), token)
    page = await context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const open = async (width = 1280) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${site.url}/experiences/ask`)
    await page.getByRole('toolbar').waitFor()
    text = page.locator('textarea')
    await text.fill('')
    await text.focus()
  }
  const value = () => text.inputValue()
  const paste = (name: string, data: Buffer) =>
    text.evaluate(
      (field, given) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([Uint8Array.from(given.bytes)], given.name, { type: 'image/png' }))
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
      },
      { name, bytes: [...data] },
    )

  /** Pastes what was copied with its look; a picture of it may lie beside it. */
  const pasteText = (html: string, plain: string, picture?: string) =>
    text.evaluate(
      (field, given) => {
        const transfer = new DataTransfer()
        transfer.setData('text/html', given.html)
        transfer.setData('text/plain', given.plain)
        if (given.picture) transfer.items.add(new File(['a picture of the words'], given.picture, { type: 'image/png' }))
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
      },
      { html, plain, picture },
    )

  const violations = async (within: string) => {
    await page.evaluate(axe)
    return page.evaluate(async (selector) => {
      const { axe: tool } = globalThis as unknown as { axe: { run(within: string): Promise<{ violations: { id: string }[] }> } }
      return (await tool.run(selector)).violations.map(({ id }) => id)
    }, within)
  }

  it('does what the toolbar and its keys say, and undo takes it back', async () => {
    await open()
    await text.pressSequentially('夜班火车')
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    expect(await value()).toBe('**夜班火车**')
    await page.keyboard.press('ControlOrMeta+z')
    expect(await value()).toBe('夜班火车')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+i')
    expect(await value()).toBe('_夜班火车_')
  })

  it('goes on with lists', async () => {
    await open()
    await text.pressSequentially('- one')
    await page.keyboard.press('Enter')
    await text.pressSequentially('two')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await text.pressSequentially('end')
    expect(await value()).toBe('- one\n- two\nend')
  })

  it('is one stop for the Tab key, with arrows inside', async () => {
    await open()
    await page.getByRole('button', { name: 'Bold' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic')
    await page.keyboard.press('End')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More formats')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Formatting help')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })

  it('says what can be written, and gives the focus back', async () => {
    await open()
    await page.getByRole('button', { name: 'Formatting help' }).press('Enter')
    const help = page.getByRole('dialog', { name: 'What you can write' })
    await help.getByText('Spoiler').waitFor()
    expect(await violations('dialog[open]')).toEqual([])
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Formatting help')
  })

  it('puts a footnote where the caret is and its note at the end', async () => {
    await open()
    await text.fill('The last train')
    await page.getByRole('button', { name: 'More formats' }).click()
    await page.getByRole('menuitem', { name: 'Footnote' }).click()
    expect(await value()).toBe('The last train[^1]\n\n[^1]: your note')
    await page.keyboard.press('ControlOrMeta+z')
    expect(await value()).toBe('The last train')
  })

  it('puts code into a block of the language that is chosen', async () => {
    await open()
    await text.fill('fmt.Println(1)')
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Code block' }).click()
    const focused = page.locator(':focus')
    await page.getByRole('menuitem').and(focused).waitFor()
    await page.keyboard.press('g')
    const go = page.getByRole('menuitem', { name: 'Go', exact: true })
    await go.and(focused).waitFor()
    await go.click()
    expect(await value()).toBe('```go\nfmt.Println(1)\n```')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })

  it('shows the preview beside the text on wide screens and behind a tab on phones', async () => {
    await open()
    await text.fill('Some **strong** words')
    await page.getByRole('region', { name: 'Preview' }).getByText('strong', { exact: true }).waitFor()
    await open(390)
    await text.fill('On a *phone*')
    expect(await page.getByRole('tabpanel', { name: 'Preview' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Preview' }).click()
    await page.getByRole('tabpanel', { name: 'Preview' }).getByText('phone').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true)
  })

  it('uploads a pasted picture into its place in the text', async () => {
    await open()
    await text.pressSequentially('before')
    await paste('sea.png', await picture())
    await text.pressSequentially('after')
    await expect.poll(value, { timeout: 10_000 }).toMatch(/^before\n!\[sea\]\(\/uploads\/post\/\S+-4x4\S*\.png\)\nafter$/)
  })

  it('takes what was copied from a page as Markdown, and undo takes it back', async () => {
    await open()
    await text.pressSequentially('Before')
    await pasteText(
      `<meta charset="utf-8"><style>p { color: red }</style><h3>Two <em>nights</em><a href="https://rail.example/#two">#</a></h3><p>See <a href="https://rail.example/a_(b)">the <b>time table:</b></a> or 1*2 in <code>a|b</code>.<br>
      Next line<script>hit()</script></p><ul><li>one<ol start="3"><li>three</li></ol></li><li>two</li></ul><blockquote><p>a</p><p>b</p></blockquote>
      <table><tr><th>Name</th><th>Price</th></tr><tr><td>Bed</td><td>8|9</td></tr></table><pre>x  = 1\n\ny</pre>
      <p># no heading</p><img src="file:///c:/x.png" alt="of Word"><img src="https://pictures.example/x.png" alt="sea"><b style="font-weight:normal;"><p><b>重点：</b>早睡</p></b><button>Copy</button>`,
      'words',
    )
    expect(await value()).toBe(
      [
        'Before',
        '### Two *nights*',
        'See [the **time table:**](https://rail.example/a_%28b%29) or 1\\*2 in `a|b`.\nNext line',
        '- one\n  3. three\n- two',
        '> a\n>\n> b',
        '| Name | Price |\n| --- | --- |\n| Bed | 8\\|9 |',
        '```\nx  = 1\n\ny\n```',
        '\\# no heading',
        '![sea](https://pictures.example/x.png)',
        '**重点**：早睡',
      ].join('\n\n'),
    )
    await page.keyboard.press('ControlOrMeta+z')
    expect(await value()).toBe('Before')
  })

  it('takes the words that were copied from Word, with their lists, and not the picture of them', async () => {
    await open()
    const item = (level: number, marker: string, words: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><!--[if !supportLists]--><span><span style='mso-list:Ignore'>${marker}<span>&nbsp; </span></span></span><!--[endif]-->${words}<o:p></o:p></p>`
    await pasteText(
      `<html xmlns:o="urn:x"><body><p class=MsoNormal>To <b>pack</b><o:p></o:p></p>${item(1, '·', 'shoes')}${item(2, '1.', 'light ones')}<p class=MsoNormal>End</p></body></html>`,
      'To pack\n·\tshoes',
      'clip.png',
    )
    expect(await value()).toBe('To **pack**\n\n- shoes\n   1. light ones\n\nEnd')
    expect(await page.getByText('clip.png').count()).toBe(0)
  })

  it('leaves code that was copied, and code that is pasted into a block, as it is', async () => {
    await open()
    const handled = (html: string) =>
      text.evaluate((field, given) => {
        const transfer = new DataTransfer()
        transfer.setData('text/html', given)
        transfer.setData('text/plain', 'if (x) {\n  y()\n}')
        return !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
      }, html)
    expect(await handled('<div style="white-space: pre"><div><span style="color:red">if</span> (x) {</div></div>')).toBe(false)
    await text.fill('```\n')
    expect(await handled('<p><b>if</b> (x)</p>')).toBe(false)
    await text.fill('')
    expect(await handled('<p><b>if</b> (x)</p>')).toBe(true)
  })

  it('keeps what the site refuses with its reason, until another takes its place', async () => {
    await open()
    await paste('broken.png', Buffer.from('no picture'))
    await page.getByText('“broken.png” is not what its extension says').waitFor()
    expect(await value()).toBe('')
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose another' }).click()
    await (await chooser).setFiles({ name: 'sea.png', mimeType: 'image/png', buffer: await picture() })
    await expect.poll(value, { timeout: 10_000 }).toMatch(/^!\[sea\]\(\S+\.png\)\n$/)
    expect(await page.getByText('broken.png').count()).toBe(0)
  })

  it('tries again what did not arrive, or forgets it', async () => {
    await open()
    await page.route('**/file', (route) => route.abort())
    await paste('sea.png', await picture())
    await paste('lake.png', await picture())
    await page.getByRole('button', { name: 'Remove lake.png' }).click()
    expect(await page.getByText('lake.png').count()).toBe(0)
    expect(await value()).toBe('')
    await page.unroute('**/file')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(value, { timeout: 10_000 }).toMatch(/^!\[sea\]\(\S+\.png\)\n$/)
  })

  it('has no axe violations of its own', async () => {
    await open()
    await text.fill('Some **strong** words')
    expect(await violations('form')).toEqual([])
  })

  it('gives the place back to a plain field when it is switched off, with the text kept', async () => {
    await open()
    await text.fill('Words that stay')
    await site.switch('editor', false)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    expect(await value()).toBe('Words that stay')
    await site.switch('editor', true)
    await page.getByRole('toolbar').waitFor()
    expect(await value()).toBe('Words that stay')
  })
})
