import { Chip } from '@stoa/sdk/ui/chip'

export interface TagChipProps {
  slug: string
  name?: string
  to?: string | null
  reserved?: boolean
  recommend?: boolean
  onRemove?(): void
}

/** What plugins built with sdk 1.0 draw a tag with. */
export function TagChip({ slug, name = slug, to = `/tags/${encodeURIComponent(slug)}`, reserved, recommend, onRemove }: TagChipProps) {
  return <Chip name={name} to={to} look={reserved ? 'guarded' : recommend ? 'accent' : 'plain'} {...(onRemove && { onRemove })} />
}
