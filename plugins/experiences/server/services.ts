import type { Person } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { plainText } from '@stoa/sdk/server'
import type { Bookmarkable } from '../../bookmarks/shared/api.ts'
import type { Commentable } from '../../comments/shared/api.ts'
import type { Followable } from '../../follows/shared/api.ts'
import type { Revisable } from '../../history/shared/api.ts'
import type { SearchDocument, SearchSource } from '../../search/shared/api.ts'
import type { SiteSettings } from '../../site/shared/api.ts'
import type { Addresses } from '../../sitemap/shared/api.ts'
import type { Votable } from '../../votes/shared/api.ts'
import type { Posts } from '../shared/api.ts'
import { experienceErrors, experiencePath, isListed, isLive, postBag } from '../shared/api.ts'
import { extensionsIn } from './store/extensions.ts'
import { groupPosts } from './store/groups.ts'
import { setLinks } from './store/link-store.ts'
import { linkedPosts } from './store/links.ts'
import type { PostStore } from './store/post-store.ts'
import { facts, postRows } from './store/rows.ts'
import type { Tables } from './store/tables.ts'
import { mayView } from './store/visibility.ts'
import type { createPublishing } from './writing/publish.ts'

interface ServiceNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  publishing: ReturnType<typeof createPublishing>
}

export function createPosts({ ctx, store, publishing }: ServiceNeeds): Posts {
  const find: Posts['find'] = async (n) => {
    const row = await store.find(n)
    return row && facts(row, ctx.ids.encode('experience', n))
  }
  const prepare: Posts['prepare'] = async (draft, author, otherFields) => {
    const store = await publishing.prepare(draft, author, otherFields)
    return async () => {
      const n = await store()
      const post = await find(n)
      if (!post) throw new Error(`Post ${n} was stored and is not there`)
      return post
    }
  }
  return {
    find,
    hold: store.hold,
    mayView,
    answered: (n, { delta, answer, personId, at }) =>
      store.change(n, (row) => {
        const answer_count = Math.max(0, row.answer_count + delta)
        if (delta > 0)
          return { answer_count, last_answer: answer, answerer_id: personId, answered_at: at, active_at: Math.max(row.active_at, at) }
        if (row.last_answer !== answer) return { answer_count }
        return { answer_count, last_answer: 0, answerer_id: 0, answered_at: 0, active_at: Math.max(row.created_at, row.edited_at) }
      }),
    accept: (n, answer) => store.change(n, { accepted_answer: answer }),
    group: async (n, kind, groups) => {
      // The transaction that the caller has open.
      await groupPosts(ctx.db.query, ctx.db.dialect, kind, [{ n, groups }])
    },
    regroup: (kind, posts) =>
      ctx.db.write(async (tx) => {
        if (await groupPosts(tx, ctx.db.dialect, kind, posts)) await store.count(0, 0)
      }),
    link: (n, source, html) => setLinks(ctx, n, source, linkedPosts(html, ctx.site.url)),
    answerVotes: (n, delta) => store.change(n, (row) => ({ answer_votes: row.answer_votes + delta })),
    prepare,
    publish: async (draft, author, otherFields) => (await prepare(draft, author, otherFields))(),
  }
}

export function createCommentable({ ctx, store }: Pick<ServiceNeeds, 'ctx' | 'store'>): Commentable {
  return {
    kind: 'experience',
    async find(n, person) {
      const row = await store.find(n)
      if (!row || !mayView(person, { authorId: row.author_id, status: row.status })) return undefined
      return { authorId: row.author_id, experience: n, open: isLive(row), shown: isListed(row) }
    },
    async shown(ns) {
      const rows = await postRows(ctx.db.query, ns)
      return rows.filter(isListed).map(({ id }) => id)
    },
    hold: (n) => store.hold(n),
  }
}

/** Lets suggested edits of posts be taken. */
export function createRevisable({ ctx, store, publishing }: ServiceNeeds): Revisable {
  return {
    kind: 'experience',
    describe: (extensions) => ctx.bags.lines(postBag, extensions),
    async prepare({ n, text, version, editorId, summary }, reviewer) {
      const row = await store.find(n)
      if (!row) throw experienceErrors.not_found({ id: n })
      const { title, content, tags, extensions } = text
      const options = { summary, base: version, suggestedBy: editorId }
      const storing = await publishing.prepareEdit(row, { title, content, tags, extensions }, reviewer, options)
      return async () => {
        await storing()
      }
    },
  }
}

/** Source of the rewards: behaviour reference 7.1. */
export function createVotable({ store }: Pick<ServiceNeeds, 'store'>): Votable {
  return {
    kind: 'experience',
    hasDown: true,
    listed: true,
    rewards: { up: 10, down: -2, downVoter: 0 },
    async find(n, person) {
      const row = await store.find(n)
      if (!row || !isLive(row) || !mayView(person, { authorId: row.author_id, status: row.status })) return undefined
      return { authorId: row.author_id }
    },
    hold: (n) => store.hold(n),
    addVotes: (n, delta) => store.change(n, (row) => ({ vote_count: row.vote_count + delta })),
  }
}

/** Posts that are live for this person. */
const createSight =
  ({ store }: Pick<ServiceNeeds, 'store'>) =>
  async (n: number, person: Person): Promise<boolean> => {
    const row = await store.find(n)
    return row !== undefined && isLive(row) && mayView(person, { authorId: row.author_id, status: row.status })
  }

export function createFollowable({ store }: Pick<ServiceNeeds, 'store'>): Followable {
  const sees = createSight({ store })
  return {
    kind: 'experience',
    find: async (n, person) => ((await sees(n, person)) ? { n } : undefined),
    addFollowers: (n, delta) => store.add(n, 'follow_count', delta),
  }
}

export function createBookmarkable({ store }: Pick<ServiceNeeds, 'store'>): Bookmarkable {
  return {
    kind: 'experience',
    has: createSight({ store }),
    addBookmarks: (n, delta) => store.add(n, 'collection_count', delta),
  }
}

/** Pages of listed posts. */
export function createAddresses({ ctx, settings }: Pick<ServiceNeeds, 'ctx'> & { settings: SiteSettings }): Addresses {
  return {
    name: 'experiences',
    async last() {
      const row = await ctx.db.query.selectFrom('experiences__post').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },
    async between(after, upTo) {
      const { permalink } = await settings.get('seo')
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .select(['id', 'url_title', 'created_at', 'edited_at', 'answered_at'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .where('tier', '>=', 1)
        .orderBy('id')
        .execute()
      const toId = permalink === 3 || permalink === 4 ? ctx.ids.short : ctx.ids.encode
      return rows.map(({ id, url_title, created_at, edited_at, answered_at }) => ({
        path: experiencePath(permalink, { id: toId('experience', id), url_title }),
        changedAt: Math.max(created_at, edited_at, answered_at),
      }))
    },
  }
}

export function createSearchSource({ ctx }: Pick<ServiceNeeds, 'ctx'>): SearchSource {
  return {
    kind: 'experience',
    async page(after, limit) {
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    async documents(ns) {
      if (ns.length === 0) return []
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .innerJoin('experiences__body', 'post_id', 'id')
        .select([
          'id',
          'author_id',
          'title',
          'html',
          'extensions',
          'vote_count',
          'answer_count',
          'view_count',
          'accepted_answer',
          'created_at',
          'active_at',
          'tier',
        ])
        .where('id', 'in', ns)
        .execute()
      return rows.map(
        (row): SearchDocument => ({
          kind: 'experience',
          n: row.id,
          authorId: row.author_id,
          title: row.title,
          text: [plainText(row.html), ...ctx.bags.text(postBag, extensionsIn(row.extensions))].join('\n'),
          tags: [],
          votes: row.vote_count,
          answers: row.answer_count,
          views: row.view_count,
          accepted: row.accepted_answer > 0,
          createdAt: row.created_at,
          activeAt: row.active_at,
          visible: row.tier > 0,
        }),
      )
    },
  }
}
