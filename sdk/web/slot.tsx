import type { PropsOf, SlotToken } from '@stoa/sdk'
import type { ComponentType, ReactNode } from 'react'
import { useKernel } from './kernel.ts'
import type { SlotProps, UntypedSlotProps } from './slot-props.ts'

// biome-ignore lint/suspicious/noExplicitAny: slots of any props
type AnySlot = SlotToken<any>

/** A place in the page that active plugins fill. Each contribution has its own loading and error boundary. */
export function Slot<T extends AnySlot>(props: SlotProps<T>): ReactNode
/** @deprecated Untyped; the contract of the place exports a token for `of`. */
export function Slot(props: UntypedSlotProps): ReactNode
export function Slot(props: SlotProps<AnySlot> | UntypedSlotProps): ReactNode {
  // Called, not drawn: of several hundred components of a page a tenth would do nothing else.
  return useKernel().Slot(props)
}

/**
 * Compiles when the default export of module `M` can be drawn in the slot `T`. `stoa-plugin check` writes one for each entry of
 * `contributes.slots`, which ties the id in `plugin.json` to the component.
 */
export type FillsSlot<T extends AnySlot, M extends { default: ComponentType<PropsOf<T>> }> = [T, M]
