import type { PropsOf, SlotToken } from '@stoa/sdk'
import type { ReactNode } from 'react'

interface SlotSurroundings {
  /** Shown when nobody contributes. */
  empty?: ReactNode
  /** Shown while a contribution loads; reserve its space. */
  waiting?: ReactNode
  /** Drawn around the contributions, where there are any: a list, a menu. */
  around?: (contributions: ReactNode) => ReactNode
  /** Further props of the contributions of one plugin. */
  each?: (slug: string) => object
}

/** `of`: the slot's token. `props`: what its type says, handed to each contribution. */
// biome-ignore lint/suspicious/noExplicitAny: slots of any props
export type SlotProps<T extends SlotToken<any>> = SlotSurroundings & { of: T } & (keyof PropsOf<T> extends never
    ? { props?: undefined }
    : {} extends PropsOf<T>
      ? { props?: PropsOf<T> }
      : { props: PropsOf<T> })

/** A place by its id, as sdk 1.0 had it. */
export interface UntypedSlotProps extends SlotSurroundings {
  id: string
  props?: object
  /** Only the first contribution (an editor, a captcha). */
  single?: boolean
}
