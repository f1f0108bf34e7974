import type { Person } from '@stoa/sdk'
import { protocol } from '@stoa/sdk'
import type { Route, ServerContext } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'
import type { TagChoice } from '../../../../plugins/experiences/shared/api.ts'
import { experienceErrors, experienceHooks } from '../../../../plugins/experiences/shared/api.ts'
import type { Questions } from './questions.ts'
import { best, listed, one } from './read-questions.ts'

const path = `${protocol.public}/experience`
const id = Type.String()

/** The calls that a client needs to ask and to read. */
export function questionRoutes(ctx: ServerContext, { posts, setListed }: Questions): Route[] {
  const number = (text: string): number => {
    const decoded = ctx.ids.decode(text)
    if (decoded?.kind !== 'experience') throw experienceErrors.not_found({ id: text })
    return decoded.n
  }
  return [
    route({
      method: 'POST',
      path,
      access: 'active',
      summary: 'Asks a question.',
      body: Type.Object({
        title: Type.String(),
        content: Type.String(),
        tags: Type.Optional(Type.Array(Type.Unsafe<TagChoice>(Type.Any()))),
      }),
      reply: Type.Any(),
      read: one,
      async readParams({ body: { title, content, tags = null }, person }) {
        const { n } = await posts.publish({ title, content, tags }, person as Person)
        return { n }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/info`,
      access: 'visitor',
      summary: 'One question.',
      query: Type.Object({ id }),
      reply: Type.Any(),
      read: one,
      readParams: ({ query }) => ({ n: number(query.id) }),
    }),
    route({
      method: 'GET',
      path: `${path}/page`,
      access: 'visitor',
      summary: 'Questions, newest first.',
      query: Type.Object({ tag: Type.Optional(Type.String()), like: Type.Optional(Type.String()) }),
      reply: Type.Any(),
      read: listed,
      readParams: ({ query: { tag, like } }) => ({ tag, ...(like !== undefined && { like: number(like) }) }),
    }),
    route({
      method: 'GET',
      path: `${protocol.public}/personal/qa/top`,
      access: 'visitor',
      summary: 'The best of one person.',
      query: Type.Object({ username: Type.String() }),
      reply: Type.Any(),
      read: best,
    }),
    route({
      method: 'PUT',
      path: `${path}/operation`,
      access: 'admin',
      summary: 'Hides a question or shows it again.',
      body: Type.Object({ id, operation: Type.String() }),
      reply: Type.Null(),
      async handle({ body }) {
        await setListed(number(body.id), body.operation === 'show')
        return null
      },
    }),
    route({
      method: 'GET',
      path: `${protocol.public}/revisions/edit/check`,
      access: 'active',
      summary: 'Says whether the caller may edit an object.',
      query: Type.Object({ id }),
      reply: Type.Null(),
      async handle({ query, person }) {
        const object = ctx.ids.decode(query.id)
        if (!object || !(await ctx.run(experienceHooks.mayEdit, object, person as Person)))
          throw experienceErrors.not_found({ id: query.id })
        return null
      },
    }),
  ]
}
