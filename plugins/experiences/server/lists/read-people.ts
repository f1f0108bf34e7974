import type { Decorated, Page } from '@stoa/sdk'
import { CodedError, isStaff, rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { personByUsername } from '../../../accounts/shared/api.ts'
import type { ExperienceListItem, PersonalTop } from '../../shared/api.ts'
import { experienceList, personalTop, postStatus, postStatusWord } from '../../shared/api.ts'
import type { PersonalItem, PersonalQuery } from '../read-tokens.ts'
import { answerId, postIds } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'

/** Experiences of one person. They themselves and staff also see unlisted and pending ones. */
function postsBy(ctx: ReadContext<Tables>, authorId: number) {
  const seesAll = ctx.person?.id === authorId || isStaff(ctx.person)
  const posts = ctx.db.selectFrom('experiences__post').where('author_id', '=', authorId)
  return seesAll ? posts.where('status', '!=', postStatus.deleted) : posts.where('tier', '>=', 1)
}

const orderColumns = { newest: 'created_at', active: 'active_at', hot: 'hot_score', score: 'vote_count', unanswered: 'created_at' } as const

async function personalItems(ctx: ReadContext, rows: PostRow[]): Promise<PersonalItem[]> {
  const toId = await postIds(ctx)
  const items = rows.map(
    (row) =>
      // Tags are all that is taken over.
      ({
        kind: 'experience',
        n: row.id,
        authorId: row.author_id,
        view: { id: toId(row.id), tags: [] },
      }) as unknown as Decorated<ExperienceListItem>,
  )
  await ctx.decorate(experienceList, items)
  return rows.map((row, index) => ({
    experience_id: toId(row.id),
    title: row.title,
    url_title: row.url_title,
    vote_count: row.vote_count,
    tags: items[index]?.view.tags ?? [],
    view_count: row.view_count,
    answer_count: row.answer_count,
    collection_count: row.collection_count,
    created_at: row.created_at,
    accepted_answer_id: answerId(row.accepted_answer),
    status: postStatusWord[row.status] ?? '',
  }))
}

async function idOf(ctx: ReadContext, username: string): Promise<number> {
  const person = username ? await ctx.call(personByUsername, { username }) : null
  if (!person) throw new CodedError('error.user.not_found', { status: 404, message: 'No person is called {username}' }, { username })
  return person.id
}

/** `personal/experience/page`. */
export async function personalPage(ctx: ReadContext<Tables>, query: PersonalQuery): Promise<Page<PersonalItem>> {
  const authorId = await idOf(ctx, query.username)
  const order = query.order ?? 'newest'
  const base = () => {
    const posts = postsBy(ctx, authorId)
    return order === 'unanswered' ? posts.where('answer_count', '=', 0) : posts
  }
  const { size, offset } = rowsOfPage(query)
  const { count } = await base()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await base()
    .select(postColumns)
    .orderBy(orderColumns[order], 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  return { count: Number(count), list: await personalItems(ctx, rows) }
}

/** `personal/qa/top`: the five best posts; answers are filled in by who owns them. */
export async function topOf(ctx: ReadContext<Tables>, { username }: { username: string }): Promise<PersonalTop['view']> {
  const personId = await idOf(ctx, username)
  const rows = await ctx.db
    .selectFrom('experiences__post')
    .select(postColumns)
    .where('author_id', '=', personId)
    .where('tier', '>=', 1)
    .orderBy('vote_count', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  const view: PersonalTop['view'] = { experience: await personalItems(ctx, rows), answer: [] }
  await ctx.decorate(personalTop, [{ personId, view }])
  return view
}
