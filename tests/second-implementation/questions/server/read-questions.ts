import { read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { accountErrors, nobody, personByUsername } from '../../../../plugins/accounts/shared/api.ts'
import type { CommentedView } from '../../../../plugins/comments/shared/api.ts'
import type { ExperienceListItem, ExperienceView, PersonalTop, PostFacts } from '../../../../plugins/experiences/shared/api.ts'
import {
  experienceDetail,
  experienceErrors,
  experienceFilter,
  experienceList,
  personalTop,
} from '../../../../plugins/experiences/shared/api.ts'
import type { SearchResult } from '../../../../plugins/search/shared/api.ts'
import { publicIds } from '../../../../plugins/site/shared/api.ts'
import type { VotedObject } from '../../../../plugins/votes/shared/api.ts'
import { voted } from '../../../../plugins/votes/shared/api.ts'
import type { Question, Tables } from './tables.ts'
import { factsOf, isListed, questionsOf } from './tables.ts'

type Context = ReadContext<Tables>

export const one = read<{ n: number }, ExperienceView>('questions.one')
export const listed = read<{ tag?: string | undefined; like?: number }, { count: number; list: ExperienceListItem[] }>('questions.listed')
export const best = read<{ username: string }, PersonalTop['view']>('questions.best')

export async function cards(ctx: Context, { ns }: { ns: number[] }): Promise<Record<number, PostFacts>> {
  return Object.fromEntries((await questionsOf(ctx.db, ns)).map((row) => [row.id, factsOf(row, ctx.ids.encode('experience', row.id))]))
}

export async function view(ctx: Context, { n }: { n: number }): Promise<ExperienceView | null> {
  const [row] = await questionsOf(ctx.db, [n])
  if (!row) return null
  const { operated_at, operator, operation_type, created_at, ...shared } = await sharedOf(ctx, row)
  const view: ExperienceView = {
    ...shared,
    content: row.content,
    html: row.html,
    create_time: created_at,
    update_time: row.active_at,
    edit_time: 0,
    user_info: nobody(row.author_id),
    vote_status: '',
    answered: false,
    first_answer_id: '',
    collected: false,
    is_followed: false,
    member_actions: [],
    extends_actions: [],
  }
  const item = { kind: 'experience', n, authorId: row.author_id, view }
  await ctx.decorate(voted, [item])
  await ctx.decorate(experienceDetail, [item])
  return item.view
}

export async function required(ctx: Context, { n }: { n: number }): Promise<ExperienceView> {
  const found = await view(ctx, { n })
  if (!found) throw experienceErrors.not_found({ id: n })
  return found
}

export async function items(ctx: Context, { ns }: { ns: number[] }): Promise<ExperienceListItem[]> {
  const rows = (await questionsOf(ctx.db, ns)).filter(isListed).sort((a, b) => ns.indexOf(a.id) - ns.indexOf(b.id))
  const found = await Promise.all(
    rows.map(async (row) => ({ kind: 'experience', n: row.id, authorId: row.author_id, view: await sharedOf(ctx, row) })),
  )
  await ctx.decorate(experienceList, found)
  return found.map((item) => item.view)
}

export async function list(ctx: Context, narrowing: { tag?: string | undefined; like?: number }) {
  const asked = narrowing.tag !== undefined || narrowing.like !== undefined
  const filters = asked ? await ctx.filters(experienceFilter, narrowing) : []
  let rows = ctx.db.selectFrom('questions__question').select('id').orderBy('id', 'desc').limit(100)
  for (const ids of filters) rows = rows.where(sql<boolean>`id in (${ids})`)
  const ns = asked && filters.length === 0 ? [] : (await rows.execute()).map(({ id }) => id)
  const found = await items(ctx, { ns })
  return { count: found.length, list: found }
}

export async function top(ctx: Context, { username }: { username: string }) {
  const person = await ctx.read(personByUsername, { username })
  if (!person) throw accountErrors.not_found({ id: username })
  const item: PersonalTop = { personId: person.id, view: { experience: [], answer: [] } }
  await ctx.decorate(personalTop, [item])
  return item.view
}

async function sharedOf(ctx: Context, row: Question): Promise<ExperienceListItem> {
  const toId = await publicIds(ctx)
  const { title, status, created_at, votes: vote_count, answers: answer_count } = row
  const uncounted = { view_count: 0, unique_view_count: 0, collection_count: 0, follow_count: 0 }
  const ids = { accepted_answer_id: String(row.accepted), last_answer_id: String(row.last_answer) }
  const asked = { operated_at: created_at, operator: null, operation_type: 'asked' as const }
  const shown = { title, url_title: '', description: '', status, pin: 1, show: 1, created_at, tags: [] }
  return { id: toId('experience', row.id), ...shown, ...uncounted, vote_count, answer_count, ...ids, ...asked }
}

export async function fillResults(ctx: Context, results: SearchResult[]): Promise<void> {
  const rows = await rowsOf(ctx, results)
  const toId = await publicIds(ctx)
  for (const { kind, n, view } of results) {
    const row = kind === 'experience' ? rows.get(n) : undefined
    if (!row) continue
    const id = toId('experience', n)
    const { title, created_at, votes: vote_count, answers: answer_count } = row
    const user_info = { id: String(row.author_id), username: '', display_name: '', rank: 0, status: '' }
    const texts = { title, url_title: '', excerpt: '', status: 'available', user_info, tags: [] }
    view.object = { id, experience_id: id, created_at, vote_count, answer_count, accepted: row.accepted > 0, ...texts }
  }
}

export async function fillVotes(ctx: Context, votes: { kind: string; n: number; view: VotedObject | null }[]): Promise<void> {
  const rows = await rowsOf(ctx, votes)
  const toId = await publicIds(ctx)
  for (const vote of votes) {
    const row = vote.kind === 'experience' ? rows.get(vote.n) : undefined
    const id = toId('experience', vote.n)
    if (row) vote.view = { object_id: id, experience_id: id, answer_id: '', title: row.title, url_title: '', content: row.html }
  }
}

export async function fillComments(ctx: Context, comments: { experience: number; view: CommentedView }[]): Promise<void> {
  const rows = new Map(
    (
      await questionsOf(
        ctx.db,
        comments.map(({ experience }) => experience),
      )
    ).map((row) => [row.id, row]),
  )
  const toId = await publicIds(ctx)
  for (const { experience, view } of comments) {
    view.experience_id = toId('experience', experience)
    view.title = rows.get(experience)?.title ?? ''
  }
}

async function rowsOf(ctx: Context, objects: { kind: string; n: number }[]): Promise<Map<number, Question>> {
  const own = objects.filter(({ kind }) => kind === 'experience').map(({ n }) => n)
  return new Map((await questionsOf(ctx.db, own)).filter(isListed).map((row) => [row.id, row]))
}
