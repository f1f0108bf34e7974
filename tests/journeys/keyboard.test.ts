import type { Locator, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { storySite } from './story-site.ts'
import { openReader, openTab, visit } from './tab.ts'

/** More stops than any page has. */
const MOST_STOPS = 80

const told = storySite()
/** Somebody who has not answered yet. */
let page: Page

beforeAll(async () => {
  page = (await openTab(await openReader(told.browser, told.site, { person: told.story.admin }))).page
})

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element === document.activeElement)

/** Presses Tab until the focus is there. */
async function tabTo(target: Locator): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab')
    if (await isFocused(target)) return
  }
  throw new Error(`Tab does not lead to ${target}`)
}

/** Name and look of what has the focus. */
const focus = () =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { width, height, top, bottom } = element.getBoundingClientRect()
    return {
      name: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      isRinged: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      isInView: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
      isEnd: element === document.body,
    }
  })

describe('with the keyboard alone', () => {
  it('the first stop leads past the frame into the text', async () => {
    await visit(page, `/experiences/${told.story.experience.id}`)
    await page.keyboard.press('Tab')
    expect(await focus()).toMatchObject({ name: '跳到正文', isRinged: true, isInView: true })
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  })

  it.each(['/', '/experiences', '/experiences/ask', '/users/settings/profile', '/admin/installed-plugins'])(
    'every stop of %s has a name, is in view and shows that it has the focus',
    async (path) => {
      await visit(page, path)
      await page.locator('main h1').waitFor()
      const wrong: unknown[] = []
      for (let stop = 0; stop < 40; stop++) {
        await page.keyboard.press('Tab')
        const now = await focus()
        if (now.isEnd) break
        if (!now.isInView) wrong.push(now)
        // A text field that is part of a larger box has the ring around that.
        if (!now.isRinged && !(await page.evaluate(() => document.activeElement?.matches('textarea, [role=combobox]')))) wrong.push(now)
      }
      expect(wrong).toEqual([])
    },
  )

  it('a menu opens on its first entry, is walked by arrows and gives the focus back', async () => {
    await visit(page, '/')
    const button = page.getByRole('banner').getByRole('button', { name: 'admin' })
    await tabTo(button)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem')
    const first = (await focus()).name
    await page.keyboard.press('ArrowDown')
    expect((await focus()).name).not.toBe(first)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(button)).toBe(true)
  })

  it('a dialog keeps the focus inside until it is left, and gives it back', async () => {
    await visit(page, '/')
    const link = page.getByRole('navigation').getByRole('link', { name: '标签', exact: true })
    await tabTo(link)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: '键盘快捷键' })
    await dialog.waitFor()
    for (let stop = 0; stop < 6; stop++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await isFocused(link)).toBe(true)
  })

  it('a form that takes the place of its button gets the focus, and gives it back', async () => {
    const goesThere = async (opener: Locator, field: Locator, close: Locator) => {
      await tabTo(opener)
      await page.keyboard.press('Enter')
      await expect.poll(() => isFocused(field)).toBe(true)
      await tabTo(close)
      await page.keyboard.press('Enter')
      await expect.poll(() => isFocused(opener)).toBe(true)
    }
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).first()
    await visit(page, `/tags/${told.story.tag.slug}/info`)
    await goesThere(button('编辑同义标签'), page.getByRole('textbox', { name: '同义标签' }), button('取消'))
    await visit(page, `/experiences/${told.story.experience.id}`)
    const comment = page.getByRole('textbox', { name: /评论|回复/ }).first()
    for (const opener of ['添加评论', '回复']) await goesThere(button(opener), comment, button('取消'))
  })

  it('shortcuts search, write and go home', async () => {
    await visit(page, '/tags')
    await page.keyboard.press('/')
    expect(await isFocused(page.getByRole('search').getByRole('combobox').first())).toBe(true)
    await page.keyboard.type(told.story.experience.word)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: told.story.experience.word }).first().waitFor()
    await page.getByRole('main').getByRole('link', { name: told.story.experience.word }).first().focus()
    await page.keyboard.press('c')
    await page.getByRole('heading', { level: 1, name: '写经验' }).waitFor()
    await expect.poll(() => isFocused(page.getByRole('textbox', { name: '标题' }))).toBe(true)
    await page.keyboard.type('c')
    expect(await page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('c')
    await page.keyboard.press('Tab')
    await page.getByRole('main').getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { level: 1, name: '本周热门' }).waitFor()
  })

  it('j and k go from row to row of a list and from a post to its answers, where letters vote and accept', async () => {
    await visit(page, '/experiences')
    const rows = page.getByRole('main').getByRole('listitem').getByRole('heading').getByRole('link')
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      expect(await isFocused(rows.nth(at))).toBe(true)
    }
    await visit(page, `/experiences/${told.story.experience.id}`)
    const [post, answer] = [page.getByRole('article').first(), page.getByRole('article').nth(1)]
    const isPressed = (where: Locator, name: string) => where.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
    await page.keyboard.press('j')
    expect(await isFocused(post)).toBe(true)
    await page.keyboard.press('u')
    await expect.poll(() => isPressed(post, '赞同')).toBe('true')
    await page.keyboard.press('j')
    expect(await isFocused(answer)).toBe(true)
    await page.keyboard.press('d')
    await expect.poll(() => isPressed(answer, '反对')).toBe('true')
    expect(await isPressed(post, '赞同')).toBe('true')
    await page.keyboard.press('a')
    await answer.getByRole('button', { name: '取消采纳' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: '键盘快捷键' })
    await help.getByText('赞同', { exact: true }).waitFor()
    expect(await help.getByRole('definition').allInnerTexts()).toEqual(expect.arrayContaining(['反对', '取消采纳', '收藏', '关注', '编辑']))
    await page.keyboard.press('a')
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    // Nothing while somebody types.
    await post.getByRole('button', { name: '添加评论' }).click()
    await post.getByRole('textbox').first().pressSequentially('ud')
    expect([await isPressed(post, '赞同'), await isPressed(post, '反对')]).toEqual(['true', 'false'])
    expect(await answer.getByRole('button', { name: '取消采纳' }).count()).toBe(1)
  })

  it('a page of results begins at its top; only a search without words begins in its field', async () => {
    await visit(page, `/search?q=${encodeURIComponent(told.story.experience.word)}`)
    await page.keyboard.press('Tab')
    expect((await focus()).name).toBe('跳到正文')
    await visit(page, '/search')
    expect(await isFocused(page.getByRole('main').getByRole('searchbox'))).toBe(true)
  })

  it('an answer is written, tried too short, and sent', async () => {
    await visit(page, `/experiences/${told.story.experience.id}`)
    await tabTo(page.getByRole('button', { name: /^写回答/ }))
    await page.keyboard.press('Enter')
    const text = page.getByRole('textbox', { name: '你的回答' })
    await expect.poll(() => isFocused(text)).toBe(true)
    await page.keyboard.type('短')
    const send = page.getByRole('button', { name: '发布回答' })
    await tabTo(send)
    await page.keyboard.press('Enter')
    await page.getByText('回答至少需要 6 个字符。').waitFor()
    await expect.poll(() => isFocused(text)).toBe(true)
    await page.keyboard.press('End')
    await page.keyboard.type('一点也没关系，但要说清楚。')
    await tabTo(send)
    await page.keyboard.press('Space')
    await page.getByRole('article').filter({ hasText: '但要说清楚' }).waitFor()
    // What had the focus is gone; it must not fall back to the top of the page.
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  })
})
