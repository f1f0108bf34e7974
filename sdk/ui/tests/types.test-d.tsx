/** What pages may write with the kit and the web API: checked by `npm run check`, never run. */
import { Button, IconButton } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Icon } from '@stoa/sdk/ui/icon'
import type { Head, PageModule, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useApi, useData, useLogin } from '@stoa/sdk/web'
import { expectTypeOf } from 'vitest'

interface Book {
  title: string
}

const page: PageModule<Book> = {
  default: ({ data, params, reload }: PageProps<Book>) => {
    expectTypeOf(params).toEqualTypeOf<Record<string, string>>()
    return <Button onClick={() => void reload()}>{data.title}</Button>
  },
  load: (request: PageRequest) => request.get<Book>('/books'),
  head: (data): Head => ({ title: data.title }),
}
// @ts-expect-error load and page agree on the data
export const wrong: PageModule<Book> = { ...page, load: async () => ({ name: 'x' }) }
// @ts-expect-error a page's title is text
export const title: Head = { title: 7 }

export function Contribution() {
  const api = useApi()
  const { person } = useLogin()
  // @ts-expect-error visitors have no name
  person.username
  expectTypeOf(useData<Book>('/books')).toEqualTypeOf<Book>()
  expectTypeOf(api.get<Book>('/books')).resolves.toEqualTypeOf<Book>()
  return (
    <>
      <Slot id="library.below" props={{ n: 1 }} />
      {/* @ts-expect-error a slot has an id */}
      <Slot props={{ n: 1 }} />
      {/* @ts-expect-error no such look */}
      <Button variant="huge">x</Button>
      {/* @ts-expect-error an icon alone needs a name for screen readers */}
      <IconButton icon="x" />
      {/* @ts-expect-error a field has a label */}
      <TextField value="" onChange={() => {}} />
      <Icon name="clock" size={14} />
      {/* @ts-expect-error no such size */}
      <Icon name="clock" size={15} />
    </>
  )
}
