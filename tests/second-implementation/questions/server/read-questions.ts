import type { Decorated } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { accountErrors, personByUsername } from '../../../../plugins/accounts/shared/api.ts'
import type { CommentedView } from '../../../../plugins/comments/shared/api.ts'
import type { ExperienceListItem, ExperienceView, PostFacts } from '../../../../plugins/experiences/shared/api.ts'
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
export const best = read<{ username: string }, { experience: object[]; answer: object[] }>('questions.best')

export async function cards(ctx: Context, { ns }: { ns: number[] }): Promise<Record<number, PostFacts>> {
  return Object.fromEntries((await questionsOf(ctx.db, ns)).map((row) => [row.id, factsOf(row, ctx.ids.encode('experience', row.id))]))
}

export async function view(ctx: Context, { n }: { n: number }): Promise<ExperienceView | null> {
  const [row] = await questionsOf(ctx.db, [n])
  if (!row) return null
  const item = await itemOf(ctx, row, {
    html: row.html,
    vote_status: '',
    answered: false,
    first_answer_id: '',
    collected: false,
    is_followed: false,
  })
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
  const found = await Promise.all(rows.map((row) => itemOf(ctx, row, {})))
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
  const item = { personId: person.id, view: { experience: [], answer: [] } }
  await ctx.decorate(personalTop, [item])
  return item.view
}

async function itemOf<More extends object>(ctx: Context, row: Question, more: More): Promise<Decorated<ExperienceListItem & More>> {
  const toId = await publicIds(ctx)
  const { id: n, author_id: authorId, title, status, votes: vote_count, answers: answer_count } = row
  const id = toId('experience', n)
  return { kind: 'experience', n, authorId, view: { id, title, status, vote_count, answer_count, url_title: '', tags: [], ...more } }
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
