import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'

const API = '/answer/api/v1'

describe('what machines read of a post', () => {
  let site: Site
  let admin: TestPerson
  let id: string
  const answers: string[] = []

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    id = await posted(admin, { title: 'Where to sleep on a night train', content: 'Upper or lower berth?' })
    for (const [name, content] of [
      ['anna', 'The **lower** one, if you < 1.90 m.'],
      ['ben', '</script><script>alert(1)</script> the upper one'],
      ['cai', 'Neither.'],
    ] as const) {
      const { data } = await (await site.member(name)).post<{ info: { id: string } }>(`${API}/answer`, { experience_id: id, content })
      answers.push(data.info.id)
    }
    expect((await admin.post(`${API}/answer/acceptance`, { experience_id: id, answer_id: answers[0] })).status).toBe(200)
  })
  afterAll(() => site.close())

  async function read() {
    const { text } = await site.visitor().get(`/experiences/${id}`)
    const found = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    expect(found).toHaveLength(1)
    return JSON.parse(found[0]?.[1] as string)
  }

  it('is a question with its answers, the accepted one apart', async () => {
    const { mainEntity, ...page } = await read()
    expect(page).toEqual({ '@context': 'https://schema.org', '@type': 'QAPage' })
    expect(mainEntity).toMatchObject({
      '@type': 'Question',
      name: 'Where to sleep on a night train',
      answerCount: 3,
      upvoteCount: 0,
      acceptedAnswer: {
        '@type': 'Answer',
        text: 'The lower one, if you < 1.90 m.',
        author: { name: 'anna', url: `${site.url}/users/anna` },
      },
    })
    const address = new URL(mainEntity.acceptedAnswer.url)
    expect(address.pathname).toContain(answers[0])
    expect((await site.visitor().get(address.pathname)).status).toBe(200)
    const suggested = mainEntity.suggestedAnswer as { text: string; author: { name: string } }[]
    expect(suggested.map(({ author }) => author.name).sort()).toEqual(['ben', 'cai'])
    expect(JSON.stringify(suggested)).not.toContain('script')
  })

  it('names no answers that are deleted, and none while the plugin is off', async () => {
    await admin.del(`${API}/answer`, { id: answers[2] })
    const { mainEntity } = await read()
    expect([mainEntity.answerCount, mainEntity.suggestedAnswer]).toEqual([
      2,
      [expect.objectContaining({ author: expect.objectContaining({ name: 'ben' }) })],
    ])
    await site.switch('answers', false)
    const alone = (await read()).mainEntity
    expect([alone.answerCount, alone.acceptedAnswer, alone.suggestedAnswer]).toEqual([2, undefined, undefined])
  })
})
