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
    const html = await preview(`${'>'.repeat(90)}a\n\n`.repeat(700))
    expect(html).toMatch(/^<p>(&gt;){90}a<\/p>/)
  })

  it('is not begun: tables that fill themselves up, and footnotes without end', async () => {
    // What would be rendered at once if it were a text like others: 65,000 cells.
    const table = `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'|\n'.repeat(1900)}`
    expect(await preview(table)).toMatch(/^<p>\|a\|a/)
    expect(await preview(`> ${table.replaceAll('\n', '\r> ')}`)).toMatch(/^<p>&gt; \|a\|a/)
    expect(await preview('x^[a]'.repeat(12_000))).toMatch(/^<p>x\^\[a\]/)
    expect(await preview(table.replace(/(\|\n){1800}/, ''))).toContain('<td>')
  })

  it('is done by turns: who asks for much is refused, and waits behind themselves', async () => {
    const other = await site.member('other')
    const slow = (n: number) => `\`\`\`java\n${'a'.repeat(19_000)}${n}\n\`\`\`\n`
    const done: string[] = []
    const ask = async (who: TestPerson, content: string) => {
      const { status } = await who.post(`${API}/post/render`, { content })
      if (status === 200) done.push(who.name)
      return status
    }
    const all = Array.from({ length: 8 }, (_, n) => ask(member, slow(n)))
    const refused = await Promise.any(all.map(async (status) => (await status) === 503 || Promise.reject()))
    expect(refused).toBe(true)
    const quick = ask(other, '```js\nconst a = 1\n```')
    expect((await Promise.all(all)).toSorted()).toEqual([200, 200, 200, 200, 200, 503, 503, 503])
    expect(await quick).toBe(200)
    expect(done.indexOf(other.name)).toBeLessThan(3)
  })

  it('is left out when its caller has gone', async () => {
    const slow = (n: number) => JSON.stringify({ content: `\`\`\`java\n${'b'.repeat(19_000)}${n}\n\`\`\`\n` })
    const lates = () => site.logged.filter((line) => line.includes('could not be rendered')).length
    const before = lates()
    const caller = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const ask = (n: number) => member.fetch(`${API}/post/render`, { method: 'POST', headers, body: slow(n), signal: caller.signal })
    const all = Array.from({ length: 8 }, (_, n) => ask(n))
    // One is refused: so the first is at work, and the others wait.
    await Promise.any(all.map(async (reply) => (await reply).status === 503 || Promise.reject()))
    caller.abort()
    await Promise.allSettled(all)
    const other = await site.member('other')
    expect((await other.post(`${API}/post/render`, { content: '```js\nconst a = 1\n```' })).status).toBe(200)
    expect(lates() - before).toBe(1)
  })

  it('keeps the plugin as it is', () => {
    expect(site.errors).toEqual([])
    expect(site.plugins.list().find(({ slug }) => slug === 'site')?.state).toBe('on')
  })
})
