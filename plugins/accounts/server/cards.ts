import type { SettingsGroups } from '../../site/shared/api.ts'
import type { PersonCard } from '../shared/api.ts'
import type { CardRow } from './tables.ts'

type AvatarSettings = Pick<SettingsGroups['users'], 'default_avatar' | 'gravatar_base_url'>
type AvatarRow = Pick<CardRow, 'avatar_type' | 'avatar_custom' | 'email_hash' | 'state'>

const GRAVATAR = 'https://www.gravatar.com/avatar/'

function gravatarOf(row: AvatarRow, settings: AvatarSettings): string {
  return `${(settings.gravatar_base_url || GRAVATAR).replace(/\/*$/, '/')}${row.email_hash}`
}

/**
 * The service learns who reads which page, so it is asked only where the site's owner wants it, for those who chose it or nothing.
 * `default`, once chosen, is the first letter.
 */
const usesGravatar = (row: AvatarRow, settings: AvatarSettings) =>
  settings.default_avatar === 'gravatar' && (row.avatar_type === '' || row.avatar_type === 'gravatar')

/** The avatar as an address, empty where clients draw the first letter: the form of every reply but `GET user/info`. */
export function avatarUrl(row: AvatarRow, settings: AvatarSettings): string {
  if (row.state === 'deleted') return ''
  if (row.avatar_type === 'custom') return row.avatar_custom
  return usesGravatar(row, settings) ? gravatarOf(row, settings) : ''
}

/** The avatar as the profile form edits it: the form of `GET user/info`. */
export function avatarObject(row: AvatarRow, settings: AvatarSettings): { type: string; gravatar: string; custom: string } {
  if (row.avatar_type === 'custom') return { type: 'custom', gravatar: '', custom: row.avatar_custom }
  return usesGravatar(row, settings)
    ? { type: 'gravatar', gravatar: gravatarOf(row, settings), custom: '' }
    : { type: 'default', gravatar: '', custom: '' }
}

/** A person in other people's lists. Somebody deleted keeps nothing but a number. */
export function cardOf(row: CardRow, settings: AvatarSettings): PersonCard {
  const gone = row.state === 'deleted'
  return {
    id: String(row.id),
    username: row.username,
    rank: row.rank,
    display_name: gone ? `user${row.id}` : row.display_name,
    avatar: avatarUrl(row, settings),
    website: gone ? '' : row.website,
    location: gone ? '' : row.location,
    language: row.language === 'Default' ? '' : row.language,
    status: row.state,
  }
}
