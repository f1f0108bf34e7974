import type { Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { storySite } from './story-site.ts'
import { openReader, openTab, visit } from './tab.ts'

const told = storySite()
const API = '/answer/api/v1'

describe('a name after an at sign', () => {
  let page: Page
  const people = () => page.getByRole('listbox', { name: '可以提到的人' })
  beforeAll(async () => {
    const { status, text } = await told.story.other.put(`${API}/user/info`, {
      display_name: '陈本',
      username: 'ben',
      bio: '',
      website: '',
      location: '',
      avatar: { type: 'default' },
    })
    expect(status, text).toBe(200)
    page = (await openTab(await openReader(told.browser, told.site, { person: told.story.admin }))).page
  })

  it('is completed in the editor with the arrow keys, by the name people show', async () => {
    await visit(page, '/experiences/ask')
    await page.getByRole('toolbar').waitFor()
    const field = page.getByRole('textbox', { name: '正文' })
    await field.focus()
    await field.pressSequentially('谢谢@陈')
    await people().waitFor()
    expect(await people().getByRole('option').count()).toBe(1)
    expect(await field.getAttribute('aria-activedescendant')).toBe(await people().getByRole('option').first().getAttribute('id'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('谢谢@ben ')
    await people().waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+z')
    expect(await field.inputValue()).toBe('谢谢@陈')
  })

  it('is left alone after Escape, in an address, and when nobody is called so', async () => {
    const field = page.getByRole('textbox', { name: '正文' })
    await field.fill('')
    await field.pressSequentially('@ana')
    await people().waitFor()
    await page.keyboard.press('Escape')
    await people().waitFor({ state: 'detached' })
    await field.fill('')
    const [reply] = await Promise.all([page.waitForResponse(/info\/search/), field.pressSequentially('@zzz')])
    expect((await reply.json()).data).toEqual([])
    await field.fill('')
    await field.pressSequentially('mail@ana @an')
    await people().waitFor()
    await page.keyboard.press('Tab')
    expect(await field.inputValue()).toBe('mail@ana @ana ')
  })

  it('is completed in a comment with a click, and names the person', async () => {
    await visit(page, `/experiences/${told.story.experience.id}`)
    await page.getByRole('button', { name: '添加评论' }).first().click()
    const field = page.locator('form textarea').first()
    await field.pressSequentially('请看 @b')
    await people().getByText('@ben').click()
    expect(await field.inputValue()).toBe('请看 @ben ')
    await field.pressSequentially('写的那一段，很有帮助。')
    await page.keyboard.press('ControlOrMeta+Enter')
    expect(await page.getByRole('link', { name: '@ben' }).first().getAttribute('href')).toBe('/users/ben')
  })
})
