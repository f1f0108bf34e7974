import { baseErrors, call } from '@stoa/sdk'
import type { TSchema } from '@stoa/sdk/schema'
import { Type } from '@stoa/sdk/schema'
import type { Route, RouteReply } from '@stoa/sdk/server'
import { cachedFor, defineServerPlugin, route } from '@stoa/sdk/server'
import { personByUsername } from '../../accounts/shared/api.ts'
import { answersPage } from '../../answers/shared/api.ts'
import type { PostText } from '../../experiences/shared/api.ts'
import { experienceTexts } from '../../experiences/shared/api.ts'
import { tagBySlug } from '../../tags/shared/api.ts'
import type { Entry, Format } from './write-feed.ts'
import { formats, writeFeed } from './write-feed.ts'

/** Readers ask every hour or so; who writes more than this meanwhile is read on the site. */
const NEWEST = 20
const reply = Type.String()
const name = Type.String({ maxLength: 150 })

/** Whose account is gone for good. */
const unknown = { display_name: '', username: '' }

const entryOf = ({ item, path, html, changedAt }: PostText): Entry => ({
  title: item.title,
  path,
  html,
  author: item.operator ?? unknown,
  tags: item.tags.map(({ display_name }) => display_name),
  createdAt: item.created_at,
  changedAt,
})

export default defineServerPlugin({
  activate(_, ctx) {
    interface Told {
      title: string
      description?: string
      page: string
      entries: Entry[]
    }
    const tell = (format: Format, reply: RouteReply, feed: string, told: Told): string => {
      reply.header('cache-control', cachedFor(300, ctx.site))
      return writeFeed(format, { siteUrl: ctx.site.url, language: ctx.site.language, feed, ...told })
    }
    const posts = async (narrowed: { tag?: string; username?: string }): Promise<Entry[]> =>
      (await ctx.read(experienceTexts, { ...narrowed, limit: NEWEST })).map(entryOf)
    const about = { access: 'visitor', summary: 'What is new, for feed readers' } as const
    const none = () => baseErrors.route_not_found()

    const routes = (format: Format): Route[] => {
      const raw = formats[format].type
      const at = <P extends TSchema>(path: string, params: P) =>
        [call.get<{ params: P; reply: typeof reply }>(`${path}/feed.${format}`), { params, reply }] as const
      const [tagCall, tagSchemas] = at('/tags/:tag', Type.Object({ tag: name }))
      const [personCall, personSchemas] = at('/users/:username', Type.Object({ username: name }))
      const [postCall, postSchemas] = at('/experiences/:id', Type.Object({ id: name }))
      return [
        route(
          call.get<{ reply: typeof reply }>(`/feed.${format}`),
          { reply },
          {
            ...about,
            raw,
            handle: async (_request, reply) => tell(format, reply, '/feed', { title: ctx.site.name, page: '/', entries: await posts({}) }),
          },
        ),
        route(tagCall, tagSchemas, {
          ...about,
          raw,
          async handle({ params: { tag } }, reply) {
            const found = await ctx.read(tagBySlug, { slug: tag }, { otherwise: null })
            if (!found) throw none()
            const page = `/tags/${encodeURIComponent(found.slug)}`
            return tell(format, reply, `${page}/feed`, {
              title: `${found.slug} - ${ctx.site.name}`,
              page,
              entries: await posts({ tag: found.slug }),
            })
          },
        }),
        route(personCall, personSchemas, {
          ...about,
          raw,
          async handle({ params: { username } }, reply) {
            const person = await ctx.read(personByUsername, { username })
            if (!person || person.card.status === 'deleted') throw none()
            const page = `/users/${person.card.username}`
            const entries = await posts({ username: person.card.username })
            return tell(format, reply, `${page}/feed`, { title: `${person.card.display_name} - ${ctx.site.name}`, page, entries })
          },
        }),
        route(postCall, postSchemas, {
          ...about,
          raw,
          async handle({ params: { id } }, reply) {
            const n = ctx.ids.decode(id)
            const [post] = n?.kind === 'experience' ? await ctx.read(experienceTexts, { ns: [n.n], limit: 1 }) : []
            if (!post) throw none()
            const query = { experience_id: post.item.id, order: 'updated', page: 1, page_size: NEWEST } as const
            const { list } = await ctx.read(answersPage, query, { otherwise: { count: 0, list: [] } })
            // Also for staff: a feed is the same for everybody.
            const entries = list
              .filter(({ status }) => status === 1)
              .map(
                (answer): Entry => ({
                  title: `${answer.user_info.display_name}: ${post.item.title}`,
                  path: `${post.path}/${answer.id}`,
                  html: answer.html,
                  author: answer.user_info,
                  tags: [],
                  createdAt: answer.create_time,
                  changedAt: Math.max(answer.create_time, answer.update_time),
                }),
              )
            return tell(format, reply, `/experiences/${post.item.id}/feed`, {
              title: `${post.item.title} - ${ctx.site.name}`,
              page: post.path,
              entries,
            })
          },
        }),
      ]
    }
    ctx.routes([...routes('atom'), ...routes('json')])
  },
})
