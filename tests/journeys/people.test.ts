import type { Page } from 'playwright'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { objections, tooWide, untranslated } from './look.ts'
import { storySite } from './story-site.ts'
import type { ReaderOptions } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const told = storySite()
const API = '/answer/api/v1'
const widths = [1280, 390]

async function open(path: string, options: ReaderOptions = {}): Promise<Page> {
  const { page } = await openTab(await openReader(told.browser, told.site, options))
  await visit(page, path)
  return page
}

const looksRight = async (page: Page) =>
  expect([...(await objections(page)), ...(await tooWide(page)), ...(await untranslated(page))]).toEqual([])

describe('a profile', () => {
  it('has tabs and counts of what is on, and its page says when the feature behind it goes', async () => {
    const { admin, username } = told.story
    const page = await open(`/users/${username}/answers`)
    const links = page.getByRole('navigation', { name: '个人主页栏目' }).getByRole('link')
    const main = page.getByRole('main')
    const counts = () => main.locator('dt').allTextContents()
    const person = await open(`/admin/users/${told.story.other.id}`, { person: admin })
    expect(await links.allTextContents()).toEqual(['概览', '经验', '回答', '评论', '声望', '徽章'])
    expect(await main.getByRole('link', { name: '回答', exact: true }).getAttribute('aria-current')).toBe('page')
    expect(await counts()).toEqual(['声望', '经验', '回答'])
    await person.getByRole('main').getByRole('link', { name: '回答' }).waitFor()

    await told.site.switch('answers', false)
    await page.getByRole('heading', { level: 1, name: '抱歉，这个页面不存在' }).waitFor()
    await person.getByRole('main').getByRole('link', { name: '回答' }).waitFor({ state: 'detached' })
    await visit(page, `/users/${username}`)
    expect(await links.allTextContents()).toEqual(['概览', '经验', '评论', '声望', '徽章'])
    expect(await counts()).toEqual(['声望', '经验'])

    await told.site.switch('answers', true)
    await links.getByText('回答').waitFor()
    expect(await counts()).toEqual(['声望', '经验', '回答'])
    await Promise.all([page.context().close(), person.context().close()])
  })
})

describe.each(widths)('people at %i pixels', (width) => {
  it('have profiles whose tabs show what they wrote, and to themselves what they voted on', async () => {
    const { other, member, admin, experience, answer, comment } = told.story
    const { data } = await other.get<{ username: string }>(`${API}/user/info`)
    const page = await open(`/users/${data.username}`, { width, scheme: width === 390 ? 'dark' : 'light' })
    const row = page.getByRole('main').getByRole('link', { name: experience.title, exact: true })
    const tab = (name: string) => page.getByRole('navigation', { name: '个人主页栏目' }).getByRole('link', { name })
    await page.getByRole('heading', { name: '得票最高的回答' }).waitFor()
    expect(await row.getAttribute('href')).toBe(`/experiences/${experience.id}/${answer.id}`)
    await looksRight(page)
    await tab('评论').click()
    await page.getByText('谢谢分享，很有用。').waitFor()
    expect(await row.getAttribute('href')).toContain(`commentId=${comment.id}`)
    expect(await tab('投票').count()).toBe(0)
    await looksRight(page)
    await page.context().close()

    await admin.post(`${API}/vote/up`, { object_id: answer.id, is_cancel: false })
    const { data: own } = await admin.get<{ username: string }>(`${API}/user/info`)
    const mine = await open(`/users/${own.username}/votes`, { width, person: admin })
    await mine.getByRole('main').getByRole('link', { name: experience.title, exact: true }).waitFor()
    expect(await mine.getByRole('main').getByText('赞同').isVisible()).toBe(true)
    await looksRight(mine)
    await visit(mine, `/users/${data.username}/votes`)
    await mine.getByText('投票不公开').waitFor()
    await mine.context().close()
    const empty = await open(`/users/${told.story.username}/votes`, { width, person: member })
    await empty.getByText('还没有投过票').waitFor()
    await empty.context().close()
  })

  it('choose the square of their picture with the keyboard, and the one before goes', async () => {
    const { member } = told.story
    const page = await open('/users/settings/profile', { width, person: member })
    const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#c00' } })
      .composite([{ input: { create: { width: 300, height: 300, channels: 3, background: '#00c' } }, left: 600, top: 0 }])
      .png()
      .toBuffer()
    const choose = (name: string, buffer: Buffer) => page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
    const dialog = page.getByRole('dialog', { name: '选择要显示的部分' })

    await choose('broken.png', Buffer.from('no picture'))
    await dialog.getByText('无法读取这张图片').waitFor()
    await dialog.getByRole('button', { name: '取消' }).click()

    const stored: string[] = []
    for (const key of ['', 'ArrowLeft']) {
      await choose('wide.png', wide)
      await dialog.getByRole('button', { name: '使用这部分' }).and(page.locator(':enabled')).waitFor()
      await looksRight(page)
      const picture = dialog.getByRole('group', { name: '图片：用方向键移动' })
      // The frame lies on the picture, as high as it is.
      const [frame, whole] = [await picture.boundingBox(), await dialog.locator('img').boundingBox()]
      expect(frame?.y).toBeCloseTo(whole?.y ?? 0, 0)
      expect(frame?.height).toBeCloseTo(whole?.height ?? 0, 0)
      await picture.focus()
      // Held down until the end of the picture is reached.
      for (let n = 0; key && n < 40; n++) await page.keyboard.down(key)
      if (key) await page.keyboard.up(key)
      await dialog.getByRole('button', { name: '使用这部分' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('radio', { name: '自己的图片' }).and(page.locator(':checked')).waitFor()
      const saved = page.waitForResponse((reply) => reply.url().endsWith('/user/info') && reply.request().method() === 'PUT')
      await page.getByRole('button', { name: '保存' }).click()
      expect((await saved).status()).toBe(200)
      const { data } = await member.get<{ avatar: { custom: string } }>(`${API}/user/info`)
      stored.push(new URL(data.avatar.custom).pathname)
    }
    const [before = '', now = ''] = stored
    const shown = await told.site.visitor().fetch(now)
    const picture = sharp(Buffer.from(await shown.arrayBuffer()))
    expect(await picture.metadata()).toMatchObject({ width: 300, height: 300, format: 'png' })
    const [red = 0, , blue = 0] = (await picture.stats()).channels.map(({ mean }) => mean)
    expect(blue).toBeGreaterThan(red)
    expect((await told.site.visitor().fetch(before)).status).toBe(404)
    await page.context().close()
  })

  it('choose for a plugin what it lets them choose, and have it in other browsers too', async () => {
    const { member } = told.story
    const page = await open('/users/settings/profile', { width, person: member })
    await page.getByRole('main').getByRole('link', { name: '编辑器' }).click()
    const beside = page.getByRole('switch', { name: '在旁边显示预览' })
    expect(await beside.isChecked()).toBe(true)
    await beside.press('Space')
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('已保存').waitFor()
    await looksRight(page)
    await page.context().close()
    const elsewhere = await open('/experiences/ask', { person: member })
    await elsewhere.getByRole('tab', { name: '预览' }).waitFor()
    await elsewhere.context().close()
    await member.put(`${API}/user/plugin/config`, { plugin_slug_name: 'editor', config_fields: { beside: true } })
    const again = await open('/experiences/ask', { person: member })
    await again.getByRole('region', { name: '预览' }).waitFor()
    await again.context().close()
  })

  it('are added, suspended and let go by an admin, who reads in the log what was done', async () => {
    const { admin, member } = told.story
    const name = `苏珊${width}`
    const address = `susan${width}@example.org`
    const page = await open('/admin/users', { width, person: admin, scheme: width === 390 ? 'dark' : 'light' })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: '添加用户' }).click()
    await dialog.getByRole('radio', { name: '多位' }).check()
    const lines = dialog.getByLabel('每行一位用户')
    await lines.fill(`${name}, ${address}, correct horse 7\n写错了`)
    await dialog.getByRole('button', { name: '检查' }).click()
    await dialog.getByText('第 2 行').waitFor()
    await looksRight(page)
    await lines.fill(`${name}, ${address}, correct horse 7`)
    await dialog.getByRole('button', { name: '检查' }).click()
    await dialog.getByRole('button', { name: '添加 1 位用户' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const choose = async (act: string) => {
      await page.getByRole('button', { name: `对${name}的操作` }).click()
      await page.getByRole('menuitem', { name: act, exact: true }).click()
    }
    await choose('封禁')
    await dialog.getByLabel('原因').fill('反复发布广告')
    await looksRight(page)
    await dialog.getByRole('button', { name: '封禁' }).click()
    await page.getByText('这个账号已被封禁').waitFor()
    await page.getByRole('region', { name: '管理人员的操作' }).getByText('封禁了').waitFor()
    await choose('恢复')
    await dialog.getByRole('button', { name: '恢复' }).click()
    await page.getByText('这个账号已被封禁').waitFor({ state: 'detached' })

    // Suspended while logged in: the page says until when and why.
    const { data } = await told.site
      .visitor()
      .post<{ access_token: string; id: string }>(`${API}/user/login/email`, { e_mail: address, pass: 'correct horse 7' })
    await choose('封禁')
    await dialog.getByLabel('封禁时长').selectOption('date')
    await dialog.getByLabel('原因').fill('反复发布广告')
    await dialog.getByRole('button', { name: '封禁' }).click()
    await page.getByText('这个账号已被封禁').waitFor()
    const theirs = await open('/', { width, person: { ...member, token: data.access_token } })
    await visit(theirs, '/users/account-suspended')
    await theirs.getByText('反复发布广告').waitFor()
    expect(await theirs.getByText('之后账号会自动恢复').count()).toBe(1)
    await looksRight(theirs)
    await theirs.context().close()

    await choose('删除')
    await looksRight(page)
    await dialog.getByRole('button', { name: '删除账号' }).click()
    await page.getByText('没有这个用户').waitFor()
    await visit(page, '/admin/audit')
    await page.getByLabel('操作', { exact: true }).selectOption({ label: '封禁了…' })
    await page.getByRole('button', { name: '查看' }).click()
    await page.waitForURL(/action=accounts.made_suspended/)
    await page.getByRole('main').getByText('封禁了').nth(1).waitFor()
    await looksRight(page)
    await page.context().close()
  })

  it('are muted on their profile and let go in the settings', async () => {
    const { member, other } = told.story
    const { data } = await other.get<{ username: string; display_name: string }>(`${API}/user/info`)
    const page = await open(`/users/${data.username}`, { width, person: member })
    await page.getByRole('button', { name: '屏蔽', exact: true }).click()
    await page.getByRole('button', { name: '取消屏蔽', exact: true }).waitFor()
    await looksRight(page)
    await visit(page, '/users/settings/muting')
    await page.getByRole('button', { name: `取消屏蔽${data.display_name}` }).click()
    await page.getByText('你还没有屏蔽任何人').waitFor()
    await looksRight(page)
    await page.context().close()
  })
})

it('people are found by the beginning of a name, ordered and paged without JavaScript', async () => {
  const page = await (await openReader(told.browser, told.site, { javaScriptEnabled: false, width: 390 })).newPage()
  await page.goto('/users?tab=newest')
  await page.getByRole('searchbox', { name: '查找用户' }).fill('be')
  await page.getByRole('button', { name: '查找用户' }).click()
  await page.getByRole('main').getByRole('link', { name: /ben/ }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=newest&name=be')
  expect(await page.getByRole('main').getByRole('link', { name: /ana/ }).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: '管理团队' }).click()
  await page.getByRole('main').getByRole('listitem').first().waitFor()
  await page.context().close()
})
