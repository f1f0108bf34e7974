/** What tokens and plugin entries let through, and what not: checked by `npm run check`, never run. */
import type { CodedError, Person, ServiceToken } from '@stoa/sdk'
import {
  bail,
  baseErrors,
  decorator,
  defineErrors,
  event,
  filter,
  job,
  parallel,
  read,
  series,
  service,
  services,
  waterfall,
} from '@stoa/sdk'
import type { Needed, Provided, ReadContext, Route, ServerContext, Wanted } from '@stoa/sdk/server'
import {
  decorating,
  decoratingTogether,
  defineMigration,
  defineReads,
  defineServerPlugin,
  filtering,
  reading,
  route,
  Type,
} from '@stoa/sdk/server'
import { sql } from 'kysely'
import { expectTypeOf } from 'vitest'

interface Shelf {
  find(n: number): Promise<{ title: string } | undefined>
}
interface Book {
  n: number
  title: string
}

const shelf = service<Shelf>('library.shelf')
const shelves = services<Shelf>('library.shelves')
const beforeLoan = waterfall<(loan: { days: number }, person: Person) => { days: number }>('library.beforeLoan')
waterfall<(loan: { days: number }) => { days: number }>('library.beforeLoan', { shape: { days: 'number' } })
waterfall<(loan: { days?: number; books: string[] | null }) => void>('library.beforeLoan', {
  shape: { days: 'number?', books: { '?': ['string'] } },
})
waterfall<(loan: { days: number }) => void>('library.beforeLoan', { shape: 'object' })
// @ts-expect-error days are numbers
waterfall<(loan: { days: number }) => void>('library.beforeLoan', { shape: { days: 'string' } })
// @ts-expect-error days may be missing
waterfall<(loan: { days?: number }) => void>('library.beforeLoan', { shape: { days: 'number' } })
// @ts-expect-error nothing is said of days
waterfall<(loan: { days: number }) => void>('library.beforeLoan', { shape: {} })
const mayLend = bail<(n: number) => boolean>('library.mayLend')
const lending = series<(n: number) => void>('library.lending')
const closing = parallel<() => void>('library.closing')
const lent = event<{ book: number }>('library.lent')
const remind = job<{ book: number }>('library.remind')
const books = read<{ page: number }, Book[]>('library.books')
const bookList = decorator<Book>('library.list')
const bookFilter = filter<{ shelf: string }>('library.filter')
declare const ctx: ServerContext
declare const readContext: ReadContext

// Services: what is needed is there, what is wanted may be gone, what many provide is a list.
expectTypeOf<Needed<typeof shelf>>().toEqualTypeOf<Shelf>()
expectTypeOf<Needed<typeof shelves>>().toEqualTypeOf<Provided<Shelf>[]>()
expectTypeOf<Wanted<typeof shelf>['current']>().toEqualTypeOf<Shelf | undefined>()
expectTypeOf<Wanted<typeof shelves>['current']>().toEqualTypeOf<Provided<Shelf>[]>()
expectTypeOf(shelf).toEqualTypeOf<ServiceToken<Shelf, 'one'>>()
// @ts-expect-error a list of providers is no provider
expectTypeOf<ServiceToken<Shelf, 'many'>>().toEqualTypeOf<ServiceToken<Shelf, 'one'>>()

defineServerPlugin({
  needs: { shelf },
  wants: { maybe: shelf, all: shelves },
  activate({ shelf, maybe, all }) {
    expectTypeOf(shelf.find(1)).resolves.toEqualTypeOf<{ title: string } | undefined>()
    // @ts-expect-error the shelf asks for a number
    shelf.find('1')
    // @ts-expect-error nobody may provide it now
    maybe.current.find(1)
    maybe.current?.find(1)
    expectTypeOf(all.current[0]).toEqualTypeOf<Provided<Shelf> | undefined>()
    // @ts-expect-error a wanted service may not be assigned
    maybe.current = undefined
  },
})

defineServerPlugin({
  needs: { shelf },
  // @ts-expect-error only what was asked for is handed over
  activate({ shelf, other }) {
    return void [shelf, other]
  },
})

// What is provided has the shape of its contract.
defineServerPlugin({ provides: { shelf }, activate: () => ({ shelf: { find: async () => undefined } }) })
// @ts-expect-error a member is missing
defineServerPlugin({ provides: { shelf }, activate: () => ({ shelf: {} }) })
// @ts-expect-error the shelf answers with books, not with numbers
defineServerPlugin({ provides: { shelf }, activate: () => ({ shelf: { find: async () => 7 } }) })
// @ts-expect-error a declared service is not returned
defineServerPlugin({ provides: { shelf }, activate: () => ({}) })

// Taps have the shape of the hook, and may have no opinion.
ctx.on(beforeLoan, (loan, person) => {
  expectTypeOf(person).toEqualTypeOf<Person>()
  return { days: loan.days + 1 }
})
ctx.on(beforeLoan, async () => undefined)
ctx.on(beforeLoan, () => {})
// @ts-expect-error days are a number
ctx.on(beforeLoan, () => ({ days: 'many' }))
// @ts-expect-error the hook hands over two arguments
ctx.on(beforeLoan, (_loan, _person, _third: string) => undefined)
ctx.on(mayLend, (n) => n > 1)
// @ts-expect-error the decision is true or false
ctx.on(mayLend, () => 'yes')
ctx.on(lending, (n) => void expectTypeOf(n).toEqualTypeOf<number>())
ctx.on(closing, () => {})

// A hook is run with its own arguments.
expectTypeOf(ctx.run(beforeLoan, { days: 1 }, {} as Person)).resolves.toEqualTypeOf<{ days: number }>()
// @ts-expect-error the person is missing
ctx.run(beforeLoan, { days: 1 })
// @ts-expect-error another first argument
ctx.run(mayLend, 'seven')
// @ts-expect-error an event is emitted, not run
ctx.run(lent, { book: 1 })

// Events and jobs carry their payload.
ctx.on(lent, ({ book }, { at }) => void expectTypeOf([book, at]).toEqualTypeOf<number[]>())
ctx.emit(lent, { book: 1 }, { key: 'one' })
// @ts-expect-error the payload names a book
ctx.emit(lent, { page: 1 })
// @ts-expect-error a hook is run, not emitted
ctx.emit(beforeLoan, { book: 1 })
// @ts-expect-error there is no such way to spend the time off
event<{ book: number }>('library.lost', { whileOff: 'sometimes' })
ctx.jobs.handle(remind, ({ book }) => void expectTypeOf(book).toEqualTypeOf<number>())
// @ts-expect-error the payload is no text
ctx.jobs.enqueue(remind, 'book 1')
// @ts-expect-error a job is no event
ctx.on(remind, () => {})

// Reads, decorators and filters.
expectTypeOf(ctx.read(books, { page: 1 })).resolves.toEqualTypeOf<Book[]>()
// @ts-expect-error the page is missing
ctx.read(books, {})
expectTypeOf(ctx.read(books, { page: 1 }, { otherwise: null })).resolves.toEqualTypeOf<Book[] | null>()
expectTypeOf(ctx.read.has(books)).toEqualTypeOf<boolean>()
expectTypeOf(readContext.read(books, { page: 1 })).resolves.toEqualTypeOf<Book[]>()
expectTypeOf(readContext.read(books, { page: 1 }, { otherwise: [] as string[] })).resolves.toEqualTypeOf<Book[] | string[]>()
expectTypeOf(readContext.call(books, { page: 1 })).resolves.toEqualTypeOf<Book[]>()
// @ts-expect-error only a read function can be there or not
ctx.read.has(lent)
ctx.plugin.onReturn(async (offSince) => void expectTypeOf(offSince).toEqualTypeOf<number>())
ctx.plugin.own(async () => undefined)
readContext.decorate(bookList, [{ n: 1, title: 'one' }])
// @ts-expect-error an item without a title
readContext.decorate(bookList, [{ n: 1 }])
defineReads({
  functions: [reading(books, async (_, { page }) => [{ n: page, title: 'one' }])],
  decorators: [decorating(bookList, async (_, items) => void expectTypeOf(items).toEqualTypeOf<Book[]>())],
  filters: [filtering(bookFilter, async (_, { shelf }) => (shelf === '' ? undefined : sql<number>`1`))],
})
decoratingTogether(bookList, async (_, items) => {
  expectTypeOf(items).toEqualTypeOf<readonly Book[]>()
  return () => {}
})
// @ts-expect-error nothing would be filled
decoratingTogether(bookList, async () => {})
// @ts-expect-error the result is a list of books
reading(books, async () => 'books')
// @ts-expect-error a filter answers with a query
filtering(bookFilter, async () => [1, 2])

// Handlers of routes get what the schemas let through.
const common = { path: '/books', summary: 'Books.', access: 'visitor', reply: Type.Null() } as const
expectTypeOf(
  route({
    ...common,
    method: 'POST',
    query: Type.Object({ page: Type.Integer(), word: Type.Optional(Type.String()) }),
    body: Type.Object({ title: Type.String() }),
    handle({ query, body, params, person }) {
      expectTypeOf(query).toEqualTypeOf<{ page: number; word?: string }>()
      expectTypeOf(body.title).toEqualTypeOf<string>()
      expectTypeOf(params).toEqualTypeOf<unknown>()
      expectTypeOf(person).toEqualTypeOf<Person | null>()
      // @ts-expect-error not in the schema
      return body.author
    },
  }),
).toEqualTypeOf<Route>()
// @ts-expect-error a method of the protocol is in capitals
route({ ...common, method: 'post' })
// @ts-expect-error who may call is one of the named groups
route({ ...common, method: 'GET', access: 'everyone' })
// @ts-expect-error every route says in a sentence what it does
route({ method: 'GET', path: '/books', access: 'open', reply: Type.Null() })
// @ts-expect-error without a schema nothing is known of the body
route({ ...common, method: 'POST', handle: ({ body }) => body.title })

// Errors are functions by name.
const errors = defineErrors('error.library', { lent: { status: 409, message: 'Out' } })
expectTypeOf(errors.lent({ book: 1 })).toEqualTypeOf<CodedError>()
expectTypeOf(errors.lent.code).toEqualTypeOf<string>()
// @ts-expect-error no such error in the table
errors.lost()
// @ts-expect-error an error has a status
defineErrors('error.library', { lent: { message: 'Out' } })
expectTypeOf(baseErrors.unauthorized_error()).toEqualTypeOf<CodedError>()

defineMigration({ up: async (db, dialect) => void [db.schema, dialect satisfies 'sqlite' | 'postgres'] })
// @ts-expect-error a migration goes up
defineMigration({ contracts: true })
