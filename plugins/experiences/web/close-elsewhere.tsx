import type { PropsOf } from '@stoa/sdk'
import type { experienceSlots } from '../shared/api.ts'
import { CloseDialog } from './close-dialog.tsx'

/** The dialog on pages of others. */
export default function CloseElsewhere(props: PropsOf<typeof experienceSlots.closeDialog>) {
  const { post, ...rest } = props
  return <CloseDialog posts={[post]} {...rest} />
}
