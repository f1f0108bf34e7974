import { fieldErrors } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/server'
import type { Frequency, NoticeKind, Source } from '../shared/api.ts'
import { noticeErrors, sources } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './capabilities.ts'
import { noticeKinds } from './kinds.ts'
import type { Choice } from './settings.ts'
import { choicesOf, choose, usualOf } from './settings.ts'
import { wishIn } from './unsubscribe.ts'

/** The channel that the protocol's settings speak of, and that clients of it show. */
const PROTOCOLS = 'email'

type Config = Static<typeof schemas.config.reply>
type Wish = Static<typeof schemas.saveConfig.body>

const sourceOf = (kind: NoticeKind): Source => kind.source ?? 'inbox'

/** Parts of the settings: what is said to somebody, what they are praised for, what is new. */
const groups = ['talk', 'praise', 'new'] as const
const groupOf = (kind: NoticeKind): (typeof groups)[number] => {
  if (sourceOf(kind) !== 'inbox') return 'new'
  return kind.tab === 'votes' || kind.list === 'achievement' ? 'praise' : 'talk'
}

/** What is sent unless somebody says otherwise comes first. */
const inOrder = (kinds: readonly NoticeKind[]): NoticeKind[] =>
  groups.flatMap((group) => {
    const [usual, others] = [true, false].map((isSent) =>
      kinds.filter((kind) => groupOf(kind) === group && (usualOf(kind) !== 'off') === isSent),
    )
    return [...(usual ?? []), ...(others ?? [])]
  })

/** Kinds that channels may bring. */
const offered = ({ ctx }: Capabilities): NoticeKind[] => [...noticeKinds(ctx.host).values()].filter(({ label }) => label !== undefined)

/** `GET user/notification/config`: the protocol's three switches, for mail, and each kind on each channel that is there. */
export async function readConfig(capabilities: Capabilities, personId: number): Promise<Config> {
  const { ctx, channels } = capabilities
  const chosen = await choicesOf(ctx.db.query, personId)
  const kinds = offered(capabilities)
  const of = (kind: NoticeKind, channel: string): Frequency => chosen.get(`${kind.name} ${channel}`) ?? usualOf(kind)
  const isOn = (source: Source) => kinds.some((kind) => sourceOf(kind) === source && of(kind, PROTOCOLS) !== 'off')
  const source = (name: Source) => ({ key: PROTOCOLS, enable: isOn(name) })
  return {
    inbox: source('inbox'),
    all_new_experience: source('all_new_experience'),
    all_new_experience_for_following_tags: source('all_new_experience_for_following_tags'),
    channels: await Promise.all(
      channels.current.map(async ({ service }) => {
        const trouble = await service.trouble?.(personId)
        const label = ctx.host.texts.text(service.label)
        return { key: service.key, label, ...(trouble && { trouble: ctx.host.texts.text(trouble.text, trouble.params) }) }
      }),
    ),
    kinds: inOrder(kinds).map((kind) => ({
      name: kind.name,
      group: groupOf(kind),
      label: ctx.host.texts.text(kind.label ?? ''),
      channels: channels.current.map(({ service: { key } }) => ({ key, frequency: of(kind, key) })),
    })),
  }
}

/** `POST user/notification/channel/retry`. @throws a form error for a channel that is not there */
export async function retryChannel({ channels }: Capabilities, personId: number, key: string): Promise<void> {
  const found = channels.current.find(({ service }) => service.key === key)
  if (!found) throw fieldErrors({ channel: 'error.notification.channel_unknown' })
  await found.service.retry?.(personId)
}

/** `PUT user/notification/config`. What is left out stays. @throws a form error for a kind or channel that is not there */
export async function saveConfig(capabilities: Capabilities, personId: number, wish: Wish): Promise<void> {
  const { ctx, channels } = capabilities
  const kinds = offered(capabilities)
  const known = new Set(kinds.map(({ name }) => name))
  const keys = new Set(channels.current.map(({ service }) => service.key))
  const chosenKinds = (wish.kinds ?? []).filter((kind) => 'channel' in kind)
  for (const [index, { name, channel }] of chosenKinds.entries()) {
    if (!known.has(name)) throw fieldErrors({ [`kinds.${index}.name`]: 'error.notification.kind_unknown' })
    if (!keys.has(channel)) throw fieldErrors({ [`kinds.${index}.channel`]: 'error.notification.channel_unknown' })
  }
  await ctx.db.write(async (tx) => {
    const chosen = await choicesOf(tx, personId)
    const of = ({ name }: NoticeKind) => chosen.get(`${name} ${PROTOCOLS}`)
    const choices: Choice[] = []
    for (const source of sources) {
      const enable = wish[source]?.enable
      const own = kinds.filter((kind) => sourceOf(kind) === source)
      const isOn = own.some((kind) => (of(kind) ?? usualOf(kind)) !== 'off')
      if (enable === undefined || enable === isOn) continue
      for (const kind of own) {
        // On again: as it is for others. A switch whose kinds nobody gets unasked means all of them.
        const usual = own.some((one) => usualOf(one) !== 'off') ? usualOf(kind) : 'immediately'
        choices.push({ kind: kind.name, channel: PROTOCOLS, frequency: enable ? usual : 'off' })
      }
    }
    for (const { name, channel, frequency } of chosenKinds) choices.push({ kind: name, channel, frequency })
    await choose(tx, personId, choices)
  })
}

/**
 * `user/notification/unsubscribe`: ends what the link was made for, whoever has it. A second time changes nothing.
 * @throws `error.email.verify_url_expired` for a code that nobody was given
 */
export async function unsubscribe(capabilities: Capabilities, code: string): Promise<void> {
  const { ctx } = capabilities
  const wish = await wishIn(ctx.db.query, code)
  if (!wish) throw noticeErrors.verify_url_expired({}, { type: 'url_expired' })
  const { personId, channel, what } = wish
  const kinds = offered(capabilities)
  await ctx.db.write(async (tx) => {
    const chosen = await choicesOf(tx, personId)
    const frequencyOf = (kind: NoticeKind) => chosen.get(`${kind.name} ${channel}`) ?? usualOf(kind)
    const named = kinds.find(({ name }) => name === what)
    // A mail about a new post says both switches of new posts.
    const isMeant = (kind: NoticeKind) =>
      named
        ? kind === named || (sourceOf(named) !== 'inbox' && sourceOf(kind) !== 'inbox')
        : (what === 'daily' || what === 'weekly') && frequencyOf(kind) === what
    const ended = kinds.filter(isMeant).map(({ name }): Choice => ({ kind: name, channel, frequency: 'off' }))
    // The kind may be gone with its plugin for a while: its link holds when it is back.
    if (ended.length === 0 && !named && what !== 'daily' && what !== 'weekly') ended.push({ kind: what, channel, frequency: 'off' })
    await choose(tx, personId, ended)
  })
}
