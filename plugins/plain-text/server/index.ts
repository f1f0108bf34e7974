import { baseErrors, call } from '@stoa/sdk'
import { Type } from '@stoa/sdk/schema'
import type { RouteReply } from '@stoa/sdk/server'
import { cachedFor, defineServerPlugin, route } from '@stoa/sdk/server'
import type { AnswerView } from '../../answers/shared/api.ts'
import { answersPage } from '../../answers/shared/api.ts'
import type { PostText } from '../../experiences/shared/api.ts'
import { experienceTexts } from '../../experiences/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'
import { tagBySlug } from '../../tags/shared/api.ts'

const LISTED = 50
/** The best ones; the page of the experience has the others. */
const ANSWERS = 50

const reply = Type.String()
const raw = 'text/markdown; charset=utf-8'
const id = Type.Object({ id: Type.String({ maxLength: 50 }) })
const tag = Type.Object({ tag: Type.String({ maxLength: 150 }) })

const calls = {
  post: call.get<{ params: typeof id; reply: typeof reply }>('/experiences/:id(^[A-Za-z0-9]+).md'),
  list: call.get<{ reply: typeof reply }>('/experiences.md'),
  tag: call.get<{ params: typeof tag; reply: typeof reply }>('/tags/:tag(^[^/]+).md'),
  about: call.get<{ reply: typeof reply }>('/llms.txt'),
}

const day = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)
/** On one line, with nothing in it that begins something else. */
const line = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\[\]*_`<>#]/g, '\\$&')
const by = (author: { display_name: string } | null, at: number): string =>
  [author && line(author.display_name), day(at)].filter(Boolean).join(', ')

export default defineServerPlugin({
  activate(_, ctx) {
    const whole = (path: string) => ctx.site.url + path
    const text = (key: string) => ctx.host.texts.text(`plain_text.about.${key}`, {}, ctx.site.language)
    const send = (reply: RouteReply, parts: string[]): string => {
      reply.header('cache-control', cachedFor(300, ctx.site))
      // The pages are for search engines, this is the same in another form.
      reply.header('x-robots-tag', 'noindex')
      return `${parts.join('\n\n')}\n`
    }
    const listOf = (texts: readonly PostText[]): string =>
      texts.map(({ item }) => `- [${line(item.title)}](${whole(`/experiences/${item.id}.md`)}): ${line(item.description)}`).join('\n')
    const answerText = (answer: AnswerView, post: PostText): string =>
      [
        `## ${answer.accepted === 2 ? '✓ ' : ''}${by(answer.user_info, answer.create_time)}`,
        `<${whole(`${post.path}/${answer.id}`)}>`,
        answer.content,
      ].join('\n\n')
    const about = { access: 'visitor', raw } as const

    ctx.routes([
      route(
        calls.post,
        { params: id, reply },
        {
          ...about,
          summary: 'An experience with its answers as Markdown',
          async handle({ params }, reply) {
            const found = ctx.ids.decode(params.id)
            const [post] = found?.kind === 'experience' ? await ctx.read(experienceTexts, { ns: [found.n], limit: 1 }) : []
            if (!post) throw baseErrors.route_not_found()
            const { item, content, path } = post
            const query = { experience_id: item.id, order: 'default', page: 1, page_size: ANSWERS } as const
            const { list } = await ctx.read(answersPage, query, { otherwise: { count: 0, list: [] } })
            const tags = item.tags.map(({ display_name }) => line(display_name)).join(', ')
            return send(reply, [
              `# ${line(item.title)}`,
              `${by(item.operator, item.created_at)}${tags && ` · ${tags}`}\n<${whole(path)}>`,
              content,
              // Also for staff: the text is the same for everybody.
              ...list.filter(({ status }) => status === 1).map((answer) => answerText(answer, post)),
            ])
          },
        },
      ),
      route(
        calls.list,
        { reply },
        {
          ...about,
          summary: 'The newest experiences as Markdown',
          handle: async (_request, reply) =>
            send(reply, [`# ${line(ctx.site.name)}`, listOf(await ctx.read(experienceTexts, { limit: LISTED }))]),
        },
      ),
      route(
        calls.tag,
        { params: tag, reply },
        {
          ...about,
          summary: 'The newest experiences with a tag as Markdown',
          async handle({ params }, reply) {
            const found = await ctx.read(tagBySlug, { slug: params.tag }, { otherwise: null })
            if (!found) throw baseErrors.route_not_found()
            return send(reply, [`# ${line(found.slug)}`, listOf(await ctx.read(experienceTexts, { tag: found.slug, limit: LISTED }))])
          },
        },
      ),
      route(
        calls.about,
        { reply },
        {
          ...about,
          summary: 'What the site is about, for language models',
          async handle(_request, reply) {
            const { description, short_description } = (await ctx.read(siteGroup, { group: 'general' })) as SettingsGroups['general']
            const said = description || short_description
            return send(reply, [
              `# ${line(ctx.site.name)}`,
              ...(said ? [`> ${line(said)}`] : []),
              `## ${text('addresses')}`,
              [
                `- [${text('list')}](${whole('/experiences.md')})`,
                `- ${text('post')}: ${whole('/experiences/<id>.md')}`,
                `- ${text('tag')}: ${whole('/tags/<tag>.md')}`,
              ].join('\n'),
              `## ${text('newest')}`,
              listOf(await ctx.read(experienceTexts, { limit: 20 })),
            ])
          },
        },
      ),
    ])
  },
})
