import type { PropsOf } from '@stoa/sdk'
import type { ReactNode } from 'react'
import type { accountSlots } from '../../shared/api.ts'
import { SettingsFrame } from './settings-frame.tsx'

/** Title and links of the settings around a page of another plugin. */
export default function ForeignFrame({ children }: PropsOf<typeof accountSlots.settingsFrame>) {
  return <SettingsFrame>{children as ReactNode}</SettingsFrame>
}
