/** What pages may write with the kit and the web API: checked by `npm run check`, never run. */
import type { PropsOf } from '@stoa/sdk'
import { event, slot, slots } from '@stoa/sdk'
import { Button, IconButton } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Icon } from '@stoa/sdk/ui/icon'
import type { FillsSlot, Head, PageModule, PageProps, PageRequest } from '@stoa/sdk/web'
import { kernelSlots, Slot, useApi, useData, useLogin } from '@stoa/sdk/web'
import { expectTypeOf } from 'vitest'

const librarySlots = {
  below: slots<{ n: number; reload(): void }>('library.below', { was: ['below'] }),
  cover: slot<{ src: string }>('library.cover'),
  end: slots('library.end'),
}
const lent = event<{ n: number }>('library.lent')

const Fitting = (_: PropsOf<typeof librarySlots.below>) => null
const AskingLess = ({ n }: { n: number }) => <b>{n}</b>
const AskingMore = (_: { n: number; color: string }) => null
const AskingOther = (_: { n: string }) => null
export type Fit = [
  FillsSlot<typeof librarySlots.below, { default: typeof Fitting }>,
  FillsSlot<typeof librarySlots.below, { default: typeof AskingLess }>,
  FillsSlot<typeof librarySlots.end, { default: () => null }>,
  // @ts-expect-error what is not handed over cannot be asked for
  FillsSlot<typeof librarySlots.below, { default: typeof AskingMore }>,
  // @ts-expect-error nor as another type
  FillsSlot<typeof librarySlots.below, { default: typeof AskingOther }>,
  // @ts-expect-error a component is the default export
  FillsSlot<typeof librarySlots.below, { Fitting: typeof Fitting }>,
  // @ts-expect-error a slot that hands over nothing draws who needs something
  FillsSlot<typeof librarySlots.end, { default: typeof AskingLess }>,
]
expectTypeOf<PropsOf<typeof librarySlots.cover>>().toEqualTypeOf<{ src: string }>()

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
      {/* @ts-expect-error a slot has a token or an id */}
      <Slot props={{ n: 1 }} />
      <Slot of={librarySlots.below} props={{ n: 1, reload: () => {} }} />
      {/* @ts-expect-error its props are the token's */}
      <Slot of={librarySlots.below} props={{ n: 'one', reload: () => {} }} />
      {/* @ts-expect-error all of them */}
      <Slot of={librarySlots.below} props={{ n: 1 }} />
      {/* @ts-expect-error and none is forgotten */}
      <Slot of={librarySlots.below} />
      {/* @ts-expect-error nor added */}
      <Slot of={librarySlots.below} props={{ n: 1, reload: () => {}, color: 'red' }} />
      {/* @ts-expect-error how many are shown is the token's too */}
      <Slot of={librarySlots.cover} props={{ src: '' }} single />
      <Slot of={librarySlots.end} empty="nothing" />
      {/* @ts-expect-error a slot that hands over nothing takes nothing */}
      <Slot of={librarySlots.end} props={{ n: 1 }} />
      {/* @ts-expect-error a token of another kind is no place */}
      <Slot of={lent} />
      <Slot of={kernelSlots.aside} props={{ path: '/' }} />
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
