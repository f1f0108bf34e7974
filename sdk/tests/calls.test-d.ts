/** What the makers of calls let through, and what not: checked by `npm run check`, never run. */
import type { BodyOf, Person, QueryOf, ReplyOf } from '@stoa/sdk'
import { call, read } from '@stoa/sdk'
import { fallback, oneOf, pageOf, paging } from '@stoa/sdk/schema'
import type { Page, Route } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'
import { expectTypeOf } from 'vitest'
import type { PageRequest } from '../web/page.ts'
import type { Api } from '../web/page-facts.ts'

const book = Type.Object({ n: Type.Integer(), title: Type.String() })
const schemas = {
  list: { query: Type.Object({ ...paging(10), shelf: Type.String(), order: Type.Optional(oneOf(['new', 'old'])) }), reply: pageOf(book) },
  lend: { params: Type.Object({ n: Type.Integer() }), body: Type.Object({ days: fallback(Type.Integer(), 7) }), reply: book },
  give: { body: Type.Object({ n: Type.Integer() }), reply: Type.Null() },
}
const calls = {
  list: call.get<typeof schemas.list>('books'),
  lend: call.post<typeof schemas.lend>('book/:n/lend'),
  give: call.post<typeof schemas.give>('book/give', { admin: true }),
}
type Book = ReplyOf<typeof calls.list>['list'][number]
const books = read<{ page: number; shelf: string }, Page<Book>>('library.books')
const oneBook = read<{ n: number }, Book>('library.book')
const about = { access: 'visitor', summary: 'Books.' } as const

// A call knows what it is asked with and what it gives; what has a fallback may be left out by who asks, and is there for who answers.
expectTypeOf<Book>().toEqualTypeOf<{ n: number; title: string }>()
expectTypeOf<BodyOf<typeof calls.lend>>().toEqualTypeOf<{ days?: number | undefined }>()
expectTypeOf<QueryOf<typeof calls.list>['shelf']>().toEqualTypeOf<string>()
// @ts-expect-error the shelf has no fallback
const noShelf: QueryOf<typeof calls.list> = { page: 1 }
// @ts-expect-error an order that is not offered
const noOrder: QueryOf<typeof calls.list> = { shelf: 'a', order: 'hot' }
void [noShelf, noOrder]

// Reads.
expectTypeOf(route.read(calls.list, schemas.list, { ...about, read: books })).toEqualTypeOf<Route>()
// @ts-expect-error a reader is asked by GET
route.read(calls.give, schemas.give, { ...about, read: books })
// @ts-expect-error the read gives a book, the call a page of them
route.read(calls.list, schemas.list, { ...about, read: oneBook, params: () => ({ n: 1 }) })
// @ts-expect-error the query is not what the read is asked with: `params` is missing
route.read(calls.list, schemas.list, { ...about, read: read<{ n: number }, Page<Book>>('library.of') })
route.read(calls.list, schemas.list, {
  ...about,
  read: read<{ n: number }, Page<Book>>('library.of'),
  params: ({ query }) => {
    expectTypeOf(query.page_size).toEqualTypeOf<number>()
    return { n: query.page }
  },
})

// Writes, and what is read back afterwards.
route.write(calls.lend, schemas.lend, {
  access: 'active',
  summary: 'Lends a book.',
  limit: { action: 'lend', max: 10, seconds: 60 },
  before: ({ person }) => void expectTypeOf(person).toEqualTypeOf<Person>(),
  write: ({ params, body, person }) => {
    expectTypeOf(person).toEqualTypeOf<Person>()
    expectTypeOf(body.days).toEqualTypeOf<number>()
    return { n: params.n }
  },
  read: oneBook,
})
// @ts-expect-error what is written is not what the read is asked with
route.write(calls.lend, schemas.lend, { ...about, write: () => ({ id: 1 }), read: oneBook })
// @ts-expect-error nothing is read back
route.write(calls.lend, schemas.lend, { ...about, write: () => ({ n: 1 }) })

// Handlers.
route(calls.give, schemas.give, { access: 'admin', summary: 'Gives a book away.', handle: async () => {} })
route(calls.lend, schemas.lend, {
  ...about,
  handle: ({ person }) => {
    expectTypeOf(person).toEqualTypeOf<Person | null>()
    return { n: 1, title: 'one' }
  },
})
// @ts-expect-error the title is missing
route(calls.lend, schemas.lend, { ...about, handle: () => ({ n: 1 }) })
// @ts-expect-error the schemas are of another call
route(calls.lend, schemas.give, { ...about, handle: () => null })
// @ts-expect-error who may call is one of the named groups
route(calls.give, schemas.give, { access: 'everyone', summary: 'x', handle: () => null })
// @ts-expect-error every call says in a sentence what it does
route(calls.give, schemas.give, { access: 'open', handle: () => null })

// Pages.
declare const api: Api
declare const request: PageRequest
expectTypeOf(api.send(calls.lend, { params: { n: 1 }, body: {} })).resolves.toEqualTypeOf<Book>()
expectTypeOf(request.get(calls.list, { query: { shelf: 'a' } })).resolves.toEqualTypeOf<Page<Book>>()
// @ts-expect-error the number in the path is missing
api.send(calls.lend, { body: {} })
// @ts-expect-error nothing is said of the book
api.send(calls.give)
// @ts-expect-error a number is wanted
api.send(calls.give, { body: { n: 'one' } })
// @ts-expect-error this call has no query
api.send(calls.give, { body: { n: 1 }, query: { page: 1 } })
// @ts-expect-error the shelf is demanded
request.get(calls.list)
