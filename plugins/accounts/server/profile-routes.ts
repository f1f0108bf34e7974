import type { Route, Static } from '@stoa/sdk/server'
import { baseErrors, fieldErrors, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors, accountEvents } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { displayName } from './display-name.ts'
import { refuseManyNames, takeName } from './names.ts'
import { asBio } from './rendered-profiles.ts'
import type { ProfileTable } from './tables.ts'
import { isUsername } from './usernames.ts'

type ProfileForm = Static<typeof schemas.saveProfile.body>

/** Profile and interface of the person who asks. */
export function profileRoutes(tools: AccountTools): Route[] {
  const { ctx, settings, profiles, files } = tools
  return [
    route(accountCalls.saveProfile, schemas.saveProfile, {
      access: 'active',
      summary: 'Save the own profile; fields that the site does not let people change keep their value',
      handle: async ({ body, person }) => {
        const { id } = person
        const changes = await checkedProfile(tools, id, body)
        if (Object.keys(changes).length === 0) return
        await ctx.db.write(async (tx) => {
          const before = await profiles.find(id)
          if (changes.username !== undefined && changes.username.toLowerCase() !== before?.username.toLowerCase()) {
            await refuseManyNames(tx, id, ctx.now())
            await takeName(tx, id, changes.username, ctx.now())
          }
          await tx.updateTable('accounts__profile').set(changes).where('id', '=', id).execute()
          const isReplaced = changes.avatar_custom !== undefined && changes.avatar_custom !== before?.avatar_custom
          if (isReplaced && before?.avatar_custom) await files.current?.remove(before.avatar_custom)
          await ctx.emit(accountEvents.profileChanged, { id })
        })
      },
    }),
    route(accountCalls.saveInterface, schemas.saveInterface, {
      access: 'active',
      summary: 'Language and colour scheme of the person',
      handle: async ({ body, person }) => {
        const known = ctx.host.texts.languages().some((language) => language.code === body.language)
        if (!known && body.language !== 'Default') throw baseErrors.request_format_error({ detail: `language ${body.language}` })
        const { time_zone } = body
        if (time_zone && !isTimeZone(time_zone)) throw fieldErrors({ time_zone: 'validation.enum' })
        await ctx.db.write((tx) =>
          tx
            .updateTable('accounts__profile')
            .set({ language: body.language, color_scheme: body.color_scheme, ...(time_zone !== undefined && { time_zone }) })
            .where('id', '=', person.id)
            .execute(),
        )
      },
    }),
  ]

  /** Columns to change: only what the site allows, only what passes the rules. */
  async function checkedProfile({ rendering }: AccountTools, id: number, form: ProfileForm): Promise<Partial<ProfileTable>> {
    const allowed = await settings.get('users')
    const changes: Partial<ProfileTable> = {}
    if (form.display_name !== undefined && allowed.allow_update_display_name) {
      const name = displayName(form.display_name)
      if (!name) throw fieldErrors({ display_name: 'validation.required' })
      Object.assign(changes, { display_name: name, display_lower: name.toLowerCase() })
    }
    if (form.username !== undefined && allowed.allow_update_username) {
      const present = await profiles.find(id)
      if (form.username !== present?.username) Object.assign(changes, await checkedUsername(tools, id, form.username, present?.username))
    }
    if (form.avatar !== undefined && allowed.allow_update_avatar) Object.assign(changes, await checkedAvatar(tools, id, form.avatar))
    if (form.bio !== undefined && allowed.allow_update_bio) {
      Object.assign(changes, { bio: form.bio, bio_html: form.bio.trim() ? await rendering.render(form.bio, asBio) : '' })
    }
    if (form.website !== undefined && allowed.allow_update_website) {
      const website = form.website.trim()
      if (website && !/^https?:$/.test(URL.parse(website)?.protocol ?? '')) throw fieldErrors({ website: 'accounts.error.website' })
      changes.website = website
    }
    if (form.location !== undefined && allowed.allow_update_location) changes.location = form.location.trim()
    return changes
  }
}

/** @throws `error.user.username_invalid`, `error.user.username_duplicate`; a change of case alone is always possible */
export async function checkedUsername(
  { profiles }: AccountTools,
  id: number,
  username: string,
  present: string | undefined,
  byAdmin = false,
): Promise<Pick<ProfileTable, 'username' | 'username_lower'>> {
  const lower = username.toLowerCase()
  if (lower !== present?.toLowerCase()) {
    if (!isUsername(username, { byAdmin })) throw accountErrors.username_invalid({ username })
    if (await profiles.isTaken(lower, id)) throw accountErrors.username_duplicate({ username })
  }
  return { username, username_lower: lower }
}

/** A picture of one's own is one that the person has uploaded as an avatar. */
async function checkedAvatar(
  { profiles, files }: AccountTools,
  id: number,
  { type, custom = '' }: { type?: string; custom?: string },
): Promise<Pick<ProfileTable, 'avatar_type' | 'avatar_custom'>> {
  if (type !== 'custom') return { avatar_type: type === 'gravatar' ? 'gravatar' : 'default', avatar_custom: '' }
  if (custom !== (await profiles.find(id))?.avatar_custom) {
    const file = await files.current?.find(custom)
    if (file?.source !== 'avatar' || file.personId !== id) throw fieldErrors({ avatar: 'accounts.error.avatar' })
  }
  return { avatar_type: 'custom', avatar_custom: custom }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
