import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { storySite } from './story-site.ts'
import { openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1'
const told = storySite()

/** What an attacker wants to run: it tells the test. */
const CODE = 'hit()'
const encoded = [...CODE].map((letter) => `&#${letter.charCodeAt(0)};`).join('')

/** Markup that runs code where it is taken as HTML. */
const elements = [
  `<script>${CODE}</script>`,
  `<scr<script>ipt>${CODE}</scr</script>ipt>`,
  `<img src=x onerror=${CODE}>`,
  `<img src=x onerror="${encoded}">`,
  `<IMG/SRC=x/OnErRoR=${CODE}>`,
  `<svg onload=${CODE}>`,
  `<svg><script>${CODE}</script></svg>`,
  `<svg><animate onbegin=${CODE} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${CODE}'/></svg>#x">`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CODE}></style></mglyph></table></mtext></math>`,
  `<details open ontoggle=${CODE}>x</details>`,
  `<video><source onerror=${CODE}></video>`,
  `<input autofocus onfocus=${CODE}>`,
  `<iframe srcdoc="<script>parent.${CODE}</script>"></iframe>`,
  `<iframe src="javascript:parent.${CODE}"></iframe>`,
  `<object data="javascript:${CODE}"></object>`,
  `<embed src="javascript:${CODE}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${CODE}">`,
  `<base href="javascript:${CODE}//">`,
  `<style>@import 'javascript:${CODE}'; * { background: url(javascript:${CODE}) }</style>`,
  `<noscript><p title="</noscript><img src=x onerror=${CODE}>">`,
  `<textarea></textarea><img src=x onerror=${CODE}>`,
  `<template><img src=x onerror=${CODE}></template>`,
  `<form action="javascript:${CODE}"><button autofocus onfocus=${CODE}>x</button></form>`,
  `<a href="x" style="animation-name:x" onanimationstart=${CODE} onpointerenter=${CODE}>x</a>`,
  `<p id=__stoa name=stoa class="x" onclick=${CODE}>x</p>`,
]
/** What a text may stand in when it is written out again. */
const breakouts = ['', '</script>', '"><', "'>", '-->', ']]>', '</title></textarea></style>', '\u2028']
/** Addresses that run code when somebody follows them. */
const addresses = [
  `javascript:${CODE}`,
  `JaVaScRiPt:${CODE}`,
  `java\tscript:${CODE}`,
  `\u0001javascript:${CODE}`,
  `javascript&colon;${CODE}`,
  `data:text/html,<script>opener.${CODE}</script>`,
  `vbscript:${CODE}`,
  `//x\\@javascript:${CODE}`,
]
const markdown = addresses.flatMap((address) => [
  `[link](${address})`,
  `[link](<${address}>)`,
  `![picture](${address})`,
  `<${address}>`,
  `[link][a]\n\n[a]: ${address}`,
  `<a href="${address}">link</a>`,
])
/** What a spoiler, a task or a note of the bottom holds is Markdown too. */
const within = ['>! ', '>! >! ', '- [ ] ', '[^1] `a`\n\n[^1]: '].flatMap((before) =>
  elements.slice(0, 3).map((element) => before + element),
)
const fences = ['```', '```mermaid\n', '```html\n', '```"><img src=x onerror=hit()>\n'].map((fence) => `${fence}\n${elements[2]}\n\`\`\``)

const texts = [
  ...elements.flatMap((element) => breakouts.map((before) => before + element)),
  ...markdown,
  ...fences,
  ...within,
  `$$\\href{javascript:${CODE}}{x}$$`,
]

/** Clicks every link of what people wrote that leads nowhere else, and points at everything. */
async function touch(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const node of document.querySelectorAll<HTMLElement>('main *')) {
      for (const type of ['pointerenter', 'focus', 'mouseover']) node.dispatchEvent(new Event(type, { bubbles: true }))
      if (node instanceof HTMLAnchorElement && !/^https?:$/.test(node.protocol)) node.click()
    }
  })
}

it('nothing that people write is run, wherever it is drawn', async () => {
  expect(texts.length).toBeGreaterThan(250)
  const { admin, member, experience } = told.story
  const done = async (call: Promise<{ status: number; text: string }>) => {
    const { status, text } = await call
    expect(status, text).toBe(200)
  }
  /** As many as one text may hold, so that few pages draw all. */
  const pieces: string[] = []
  for (const text of texts) {
    const last = pieces.at(-1)
    if (last === undefined || last.length + text.length > 3000) pieces.push(text)
    else pieces[pieces.length - 1] = `${last}\n\n${text}`
  }
  const posts: string[] = []
  for (const [index, content] of pieces.entries()) {
    const title = `${elements[index % elements.length]} </title><script>${CODE}</script> ${index}`.slice(0, 150)
    const { status, text, data } = await admin.post<{ id: string }>(`${API}/experience`, { title, content, tags: [{ slug_name: 'guide' }] })
    expect(status, text).toBe(200)
    posts.push(data.id)
  }
  for (const [index, content] of pieces.entries()) await done(member.post(`${API}/answer`, { experience_id: posts[index], content }))
  for (const element of elements.slice(0, 12))
    await done(
      admin.post(`${API}/comment`, {
        object_id: experience.id,
        original_text: `${element} [x](javascript:${CODE})`,
        mention_username_list: [],
      }),
    )
  await done(
    member.put(`${API}/user/info`, {
      display_name: '<img src=x onerror=hit()>',
      username: told.story.username,
      bio: `${elements[2]} [x](javascript:${CODE})`,
      website: '',
      location: elements[2],
      avatar: { type: 'default' },
    }),
  )

  let hits = 0
  const context = await openReader(told.browser, told.site)
  await context.exposeFunction('hit', () => void hits++)
  const { page } = await openTab(context)
  page.on('dialog', (dialog) => void dialog.dismiss())
  const pages = [
    '/',
    '/experiences',
    ...posts.map((id) => `/experiences/${id}`),
    `/experiences/${experience.id}`,
    `/users/${told.story.username}`,
    `/search?q=${encodeURIComponent('"><img src=x onerror=hit()>')}`,
    '/tags/guide',
  ]
  for (const path of pages) {
    await visit(page, path)
    await touch(page)
  }
  expect(hits).toBe(0)
  // It would have been heard.
  await page.evaluate(() => (window as unknown as { hit(): Promise<void> }).hit())
  expect(hits).toBe(1)
}, 240_000)
