import type { ConfigField } from '@stoa/sdk'
import type { ReactNode } from 'react'

interface FieldAbout {
  name: string
  title: string
  description?: string
  required?: boolean
}

/** What the owner of a field of its own is handed to draw it. */
export interface SettingControl {
  /** Of the field, for what ties label and control together. */
  name: string
  value: unknown
  error?: string
  disabled: boolean
  onChange(value: unknown): void
}

type KindOfField =
  /** As the protocol describes it; a `legend` begins a section. A mask that a secret came with is kept while nobody types. */
  | ConfigField
  | (FieldAbout & { type: 'number'; unit?: string; min?: number; max?: number })
  /** One of a few, all in sight; what the value is decides whether it is sent as text or number. */
  | (FieldAbout & { type: 'choice'; options: readonly { value: string | number; label: string; help?: string }[] })
  /** A list of words, one to a line or with commas. */
  | (FieldAbout & { type: 'words'; placeholder?: string; rows?: number })
  /** `#rrggbb`. */
  | (FieldAbout & { type: 'colour' })
  /** The address of a picture that is cut and uploaded. `aspect`: width by height; left out, the picture stays as it is. */
  | (FieldAbout & { type: 'picture'; aspect?: number; maxWidth?: number; accept?: string; wide?: boolean })
  /** Drawn by the page. `say`: how a value reads in the list of changes. */
  | (FieldAbout & { type: 'own'; render(control: SettingControl): ReactNode; say?(value: unknown): string })

/** A field of a page of settings. */
export type SettingField = KindOfField & {
  /** Left out of the form while false; its value stays. */
  shownWhen?: boolean
}
