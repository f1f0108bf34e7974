import type { Site, TestPerson } from '@stoa/sdk/testing'
import { expect } from 'vitest'

/** A small community with one of everything, written through the calls of the protocol. */
export interface Story {
  admin: TestPerson
  /** Wrote the experience. */
  member: TestPerson
  /** Name of that person on the wire. */
  username: string
  /** Has not opened the link of the mail yet. */
  newcomer: TestPerson
  /** Wrote the answer and a comment. */
  other: TestPerson
  experience: { id: string; title: string; word: string }
  answer: { id: string }
  comment: { id: string }
  tag: { id: string; slug: string }
}

const API = '/answer/api/v1'

export async function tellStory(site: Site): Promise<Story> {
  const [admin, member, other] = [await site.admin(), await site.member('ana'), await site.member('ben')]
  const done = async <T>(call: Promise<{ status: number; text: string; data: T }>): Promise<T> => {
    const { status, text, data } = await call
    expect(status, text).toBe(200)
    return data
  }
  const word = '琥珀'
  const title = `收藏${word}的经验与教训`
  await done(
    admin.post(`${API}/experience`, {
      title: '欢迎来到这里',
      content: '先说说这里的规矩。',
      tags: [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }],
    }),
  )
  const experience = await done(
    member.post<{ id: string }>(`${API}/experience`, {
      title,
      content: `去年开始收藏${word}，这里是一些体会。\n\n\`\`\`js\nconst weight = 12\n\`\`\``,
      tags: [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }],
    }),
  )
  const answer = await done(
    other.post<{ info: { id: string } }>(`${API}/answer`, {
      experience_id: experience.id,
      content: '买之前一定要看清楚证书，也要多比较。',
    }),
  )
  const comment = await done(
    other.post<{ comment_id: string }>(`${API}/comment`, {
      object_id: experience.id,
      original_text: '谢谢分享，很有用。',
      mention_username_list: [],
    }),
  )
  const tag = await done(member.get<{ tag_id: string }>(`${API}/tag`, { name: 'guide' }))
  const { username } = await done(member.get<{ username: string }>(`${API}/user/info`))
  await site.idle()
  return {
    admin,
    member,
    newcomer: await site.member('dora', 'inactive'),
    username,
    other,
    experience: { id: experience.id, title, word },
    answer: answer.info,
    comment: { id: comment.comment_id },
    tag: { id: tag.tag_id, slug: 'guide' },
  }
}

/** Public id of a badge that every site has. */
export const FIRST_BADGE = 'L1D1'
