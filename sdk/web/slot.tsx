import type { SlotProps } from './kernel.ts'
import { useKernel } from './kernel.ts'

/** A place in the page that active plugins fill. Each contribution has its own loading and error boundary. */
export function Slot(props: SlotProps) {
  const Implementation = useKernel().Slot
  return <Implementation {...props} />
}
