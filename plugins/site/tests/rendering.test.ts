import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'

describe('what takes long to render', () => {
  let site: Site
  let member: TestPerson
  const preview = async (content: string) => (await member.post<string>(`${API}/post/render`, { content })).data
  beforeAll(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    member = await site.member()
  })
  afterAll(() => site.close())

  it('is coloured where that is quick', async () => {
    expect(await preview('```js\nconst a = 1\n```')).toContain('<span class="hljs-keyword">const</span>')
  })

  it('holds up nobody else, and comes without colours', async () => {
    // Each block takes the highlighter seconds.
    const slow = `\`\`\`java\n${'a'.repeat(19_000)}\n\`\`\`\n`.repeat(3)
    let isDone = false
    const rendering = preview(slow).finally(() => {
      isDone = true
    })
    for (let call = 0; call < 3; call++) await site.visitor().get(`${API}/siteinfo`)
    expect(isDone).toBe(false)
    const html = await rendering
    expect(html).not.toContain('hljs-')
    expect(html.match(/a{19000}/g)).toHaveLength(3)
  })

  it('is as quick as before for whoever comes next', async () => {
    expect(await preview('~~~sql\nselect 1\n~~~')).toContain('hljs-keyword')
  })

  it('is shown as it was typed when it would become too much', async () => {
    const many = Array.from({ length: 3500 }, (_, n) => `[^${n}]`)
    const html = await preview(`${many.join('')}\n\n${many.map((mark) => `${mark}: ${mark}`).join('\n')}`)
    expect(html).toMatch(/^<p>\[\^0\]\[\^1\]/)
  })

  it('keeps the plugin as it is', () => {
    expect(site.errors).toEqual([])
    expect(site.plugins.list().find(({ slug }) => slug === 'site')?.state).toBe('on')
  })
})
