import type { Moderated } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { prepareEdit } from './edit-answer.ts'
import { presentAnswer } from './read-tokens.ts'
import { deleteAnswer, publishAnswer, rejectAnswer } from './remove-answer.ts'
import { visible } from './services.ts'
import { answerStatus } from './tables.ts'

/** Lets staff handle answers from a list of flags or of what waits. */
export function moderatedAnswers(capabilities: Capabilities): Moderated {
  const { ctx, owners } = capabilities
  const idOf = (n: number) => ctx.ids.encode('answer', n)
  return {
    kind: 'answer',
    async find(n, person) {
      const found = await visible(capabilities, n, person)
      const present = found && (await ctx.read(presentAnswer, { n }))
      if (!found || !present) return undefined
      const { row, post } = found
      const posts = owners.current.find(({ service }) => service.kind === 'experience')?.service
      return {
        authorId: row.person_id,
        createdAt: row.created_at,
        title: post.title,
        url_title: post.urlTitle,
        experience_id: post.id,
        answer_id: idOf(n),
        comment_id: '',
        content: present.text.content,
        html: present.html,
        about: (await posts?.find(post.n, person))?.html ?? '',
        tags: null,
        answer_count: post.answerCount,
        answer_accepted: row.accepted === 1,
        status: row.status,
        show: post.show,
      }
    },
    remove: (n, person) => deleteAnswer(capabilities, person, idOf(n)),
    publish: (n) => publishAnswer(capabilities, n),
    reject: (n) => rejectAnswer(capabilities, n),
    async countOf(personId, most) {
      const rows = await ctx.db.query
        .selectFrom('answers__answer')
        .select('id')
        .where('person_id', '=', personId)
        .where('status', '=', answerStatus.available)
        .limit(most)
        .execute()
      return rows.length
    },
    edit: (n, person, { content }) => prepareEdit(capabilities, person, idOf(n), content),
  }
}
