import type { SlotProps } from '@stoa/sdk/web'
import { useShared } from '../kernel/core.ts'
import type { PageMap } from '../kernel/page-state.ts'
import { mapAtom, slotEntries } from '../kernel/registry.ts'
import { Contribution, componentOf } from './contribution.tsx'

/** What active plugins add to a place, in order. Keyed by contribution, so that a switch leaves the others' state alone. */
export function SlotOutlet({ id, props = {}, empty = null, waiting, single = false }: SlotProps) {
  const map = useShared(mapAtom) as PageMap
  const all = slotEntries(map, id)
  const entries = single ? all.slice(0, 1) : all
  if (entries.length === 0) return empty
  return entries.map((entry) => (
    <Contribution
      key={entry.id}
      slug={entry.slug}
      generation={entry.generation}
      module={entry.module}
      onServer={entry.onServer}
      waiting={waiting}
      render={(module) => {
        const Component = componentOf<Record<string, unknown>>(module)
        return <Component {...props} />
      }}
    />
  ))
}
