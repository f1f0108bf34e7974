import type { SlotToken } from '@stoa/sdk'
import type { UntypedSlotProps, WebKernel } from '@stoa/sdk/kernel/web'
import { useKernel } from '@stoa/sdk/kernel/web'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import { useShared } from '../kernel/core.ts'
import { mapAtom, slotEntries } from '../kernel/registry.ts'
import { Contribution, componentOf } from './contribution.tsx'

/** Who asks by id gets what fills that id; a token stands for its former ids too. */
const tokenOf = ({ id, single = false }: UntypedSlotProps): Pick<SlotToken<object>, 'id' | 'was' | 'cardinality'> => ({
  id,
  was: [],
  cardinality: single ? 'one' : 'many',
})

/** What active plugins add to a place, in order. Keyed by contribution, so that a switch leaves the others' state alone. */
export function SlotOutlet(slot: Parameters<WebKernel['Slot']>[0]) {
  const { props, empty = null, waiting, around, each } = slot
  const map = useShared(mapAtom) as PageMap
  const { isLoggedIn } = useKernel().useLogin()
  const { id, was, cardinality } = 'of' in slot ? slot.of : tokenOf(slot)
  const all = slotEntries(map, id, was).filter(({ forMembers }) => isLoggedIn || !forMembers)
  const entries = cardinality === 'one' ? all.slice(0, 1) : all
  if (entries.length === 0) return empty
  const shown = entries.map((entry) => (
    <Contribution
      key={entry.id}
      slug={entry.slug}
      generation={entry.generation}
      module={entry.module}
      onServer={entry.onServer}
      waiting={waiting}
      render={(module) => {
        const Component = componentOf<object>(module)
        return <Component {...props} {...each?.(entry.slug)} />
      }}
    />
  ))
  return around ? around(shown) : shown
}
