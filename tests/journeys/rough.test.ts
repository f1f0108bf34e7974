import type { TestPerson } from '@stoa/sdk/testing'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { storySite } from './story-site.ts'
import type { Tab } from './tab.ts'
import { isLive, openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1'
const PASSWORD = 'correct horse 7'
const TEXT = '写了很久的一段正文，不能丢。'

const told = storySite()

const title = (page: Page) => page.getByRole('textbox', { name: '标题' })
const submit = (page: Page) => page.getByRole('button', { name: '发布', exact: true })
const published = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function write(page: Page, name: string): Promise<void> {
  await visit(page, '/experiences/ask')
  await title(page).fill(name)
  await page.getByRole('toolbar').waitFor()
  await page.getByRole('textbox', { name: '正文' }).fill(TEXT)
  await page.getByRole('combobox', { name: '标签' }).fill('gui')
  await page.getByRole('option', { name: 'Guide' }).click()
}
const opened = async (person: TestPerson): Promise<Tab> => openTab(await openReader(told.browser, told.site, { person }))

describe('writing', () => {
  it('is sent by Enter with Ctrl or ⌘ from wherever there is text, and a mended mistake is not held against anybody', async () => {
    const { page } = await opened(await told.site.member('writer'))
    await visit(page, `/experiences/${told.story.experience.id}`)
    await page.getByRole('button', { name: '添加评论' }).first().click()
    const comment = page.getByRole('textbox', { name: '评论', exact: true })
    await comment.fill('短')
    await comment.press('Control+Enter')
    const wrong = page.getByText('评论至少需要 2 个字符')
    await wrong.waitFor()
    await comment.fill('不短了')
    expect(await wrong.count()).toBe(0)
    await comment.press('Meta+Enter')
    await page.getByRole('listitem').filter({ hasText: '不短了' }).waitFor()
    await page.getByRole('button', { name: /^写回答/ }).click()
    const answer = page.getByRole('textbox', { name: '你的回答' })
    await answer.fill('短')
    await answer.press('Control+Enter')
    await page.getByText('回答至少需要 6 个字符').waitFor()
    await answer.fill('这个回答足够长了。')
    expect(await page.getByText('回答至少需要 6 个字符').count()).toBe(0)
    await answer.press('Control+Enter')
    await page.getByRole('article').filter({ hasText: '这个回答足够长了。' }).waitFor()
    await write(page, '用快捷键发布的经验')
    await page.getByRole('textbox', { name: '正文' }).press('Control+Enter')
    await published(page, '用快捷键发布的经验')
    // One's own offers no arrows that would refuse.
    for (const name of ['赞同', '反对']) {
      const arrow = page.getByRole('button', { name, exact: true })
      expect([await arrow.isDisabled(), await arrow.getAttribute('title')]).toEqual([true, '不能给自己的内容投票。'])
    }
  })
})

describe('what is written', () => {
  it('stays on the page that asks again as who one is, also where that was read before it and comes after', async () => {
    await told.story.other.post(`${API}/comment`, { object_id: told.story.experience.id, original_text: '有人先来过。' })
    const { page } = await opened(await told.site.member('quick'))
    let release = (): void => {}
    const written = new Promise<void>((resolve) => {
      release = resolve
    })
    // Its comments come with the post.
    const list = /\/experience\/info\?/
    await page.route(
      list,
      async (route) => {
        const response = await route.fetch()
        await written
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    const early = page.waitForRequest(list)
    await page.goto(`/experiences/${told.story.experience.id}`)
    await early
    await page.getByRole('button', { name: '添加评论' }).first().click()
    await page.getByRole('textbox', { name: '评论', exact: true }).fill('比页面还快')
    const own = page.getByRole('listitem').filter({ hasText: '比页面还快' })
    await page.keyboard.press('Control+Enter')
    await own.waitFor()
    const repeated = page.waitForResponse(async (response) => list.test(response.url()) && (await response.text()).includes('比页面还快'))
    release()
    await repeated
    await expect.poll(() => own.count()).toBe(1)
  })
})

describe('what is typed before the page reacts', () => {
  /** Types while the scripts are held back, lets them come, and waits until the page reacts. */
  async function typeEarly(path: string, type: (page: Page) => Promise<void>): Promise<Page> {
    const page = await (await openReader(told.browser, told.site)).newPage()
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/static\/.*\.js$/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await type(page)
    release()
    await isLive(page)
    return page
  }

  const forms: [path: string, fields: Record<string, string>][] = [
    ['/users/login', { e_mail: 'early@example.org', pass: PASSWORD }],
    ['/users/register', { name: '早到的人', e_mail: 'early@example.org', pass: PASSWORD }],
    ['/users/account-recovery', { e_mail: 'early@example.org' }],
    ['/users/password-reset?code=of-a-mail', { pass: PASSWORD, again: PASSWORD }],
    ['/search', { q: '证书' }],
    ['/tags', { name: 'gui' }],
  ]
  it.each(forms)('%s keeps it, and knows it', async (path, fields) => {
    const field = (page: Page, name: string) => page.locator(`main [name=${name}]`)
    const page = await typeEarly(path, async (early) => {
      for (const [name, text] of Object.entries(fields)) await field(early, name).fill(text)
    })
    const values = () => Promise.all(Object.keys(fields).map((name) => field(page, name).inputValue()))
    expect(await values()).toEqual(Object.values(fields))
    // What a component does not know of goes when it is drawn again.
    const [first = ''] = Object.keys(fields)
    await field(page, first).press('End')
    await page.keyboard.type('1')
    await expect.poll(values).toEqual([`${fields[first]}1`, ...Object.values(fields).slice(1)])
  })

  it('in the box of the header it finds what it says', async () => {
    const page = await typeEarly('/', (early) => early.getByRole('search').getByRole('combobox').fill(told.story.experience.word))
    expect(await page.getByRole('search').getByRole('combobox').inputValue()).toBe(told.story.experience.word)
    await page.getByRole('search').getByRole('combobox').press('Enter')
    await page.getByRole('main').getByRole('link', { name: told.story.experience.word }).first().waitFor()
  })

  it('sends it', async () => {
    const page = await typeEarly('/users/login', async (early) => {
      await early.locator('[name=e_mail]').fill('admin@example.org')
      await early.locator('[name=pass]').fill(PASSWORD)
    })
    await page.locator('[name=pass]').press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
    await page.locator('header [data-known] button').waitFor()
  })
})

describe('a hasty or unlucky reader', () => {
  it('who presses twice posts once', async () => {
    const { page } = await opened(told.story.admin)
    await write(page, '按了两次发布的经验')
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/experience')) sent++
    })
    await submit(page).dblclick()
    await published(page, '按了两次发布的经验')
    expect(sent).toBe(1)
  })

  it('who waits sees at once that something is coming, and who has no network keeps the page and gets there later', async () => {
    const { page } = await openTab(await openReader(told.browser, told.site))
    await visit(page, '/experiences')
    const link = page.getByRole('link', { name: '标签', exact: true }).first()
    const goOn = Promise.withResolvers<void>()
    await page.route('**/tags/page**', async (route) => {
      await goOn.promise
      await route.continue()
    })
    await link.click()
    await page.locator('a[data-going]', { hasText: '标签' }).first().waitFor()
    await page.locator('[role=status][data-on]').waitFor({ state: 'attached' })
    await page.getByRole('heading', { level: 1, name: '经验' }).waitFor()
    goOn.resolve()
    await page.getByRole('heading', { level: 1, name: '标签' }).waitFor()
    expect(await page.locator('[data-going], [role=status][data-on]').count()).toBe(0)

    await page.context().setOffline(true)
    await page.getByRole('link', { name: '用户', exact: true }).first().click()
    await page.getByText('没有网络连接').waitFor()
    await page.getByRole('heading', { level: 1, name: '标签' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: '用户' }).waitFor()
    await page.getByText('没有网络连接').waitFor({ state: 'detached' })
  })

  it('who lives elsewhere reads times of there, in the next document from the start', async () => {
    const context = await openReader(told.browser, told.site, { timezoneId: 'Pacific/Kiritimati' })
    const { page } = await openTab(context)
    const path = `/experiences/${told.story.experience.id}`
    await visit(page, path)
    const time = page.locator('main article time').first()
    const at = new Date((await time.getAttribute('datetime')) ?? '')
    const there = new Intl.DateTimeFormat('zh-CN', {
      ...({ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
      timeZone: 'Pacific/Kiritimati',
    }).format(at)
    await expect.poll(() => time.getAttribute('title')).toBe(there)
    expect(await (await context.request.get(path, { headers: { accept: 'text/html' } })).text()).toContain(`title="${there}"`)
  })

  it('who follows dead links keeps a whole site, and no plugin is blamed', async () => {
    const links = [1, 2, 3, 4].map((n) => `[死链${n}](/experiences/${n}00000)`).join('\n\n')
    const body = { title: '满是死链的经验', content: links, tags: [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }] }
    const { id } = (await told.story.admin.post<{ id: string }>(`${API}/experience`, body)).data
    const tab = await openTab(await openReader(told.browser, told.site))
    const { page } = tab
    await visit(page, `/experiences/${id}`)
    for (const n of [1, 2, 3, 4]) {
      await page.getByRole('link', { name: `死链${n}` }).click()
      await page.getByRole('heading', { level: 1, name: '抱歉，这个页面不存在' }).waitFor()
      await page.goBack()
      await published(page, body.title)
    }
    await page.getByRole('link', { name: '全部经验' }).click()
    await page.getByRole('main').getByRole('link', { name: body.title }).waitFor()
    expect(tab.complaints().filter((line) => !line.endsWith(' 404'))).toEqual([])
  })
})

describe('hostile text', () => {
  it('runs nowhere, and stays readable as what it is', async () => {
    const hostile = `"><img src="//nowhere.example/x" onerror="window.hit=1"><script>window.hit=1</script>`
    const person = await told.site.member('eve')
    const tags = [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }]
    const content = `${hostile}\n\n[a](javascript:window.hit=1) <svg onload="window.hit=1"></svg> <iframe srcdoc="<script>parent.hit=1</script>"></iframe>`
    const { id } = (await person.post<{ id: string }>(`${API}/experience`, { title: hostile, content, tags })).data
    const said = await person.post(`${API}/comment`, { object_id: id, original_text: hostile, mention_username_list: [] })
    expect(said.status).toBe(200)
    const about = { display_name: '"><b>eve</b>', username: 'eve', bio: content, website: '', location: hostile.slice(0, 60) }
    expect((await person.put(`${API}/user/info`, about)).status).toBe(200)
    await told.site.idle()
    const tab = await openTab(await openReader(told.browser, told.site))
    const { page } = tab
    for (const path of ['/', '/experiences', `/experiences/${id}`, '/users/eve', `/search?q=${encodeURIComponent('"><img')}`]) {
      await visit(page, path)
      expect(await page.evaluate('window.hit'), path).toBeUndefined()
      expect(await page.locator('main :is(script, iframe, svg[onload], [onerror])').count(), path).toBe(0)
    }
    await visit(page, `/experiences/${id}`)
    await page.getByRole('heading', { level: 1 }).getByText(hostile).waitFor()
    await page.getByRole('link', { name: '"><b>eve</b>' }).first().waitFor()
    expect(tab.complaints()).toEqual([])
  })
})
