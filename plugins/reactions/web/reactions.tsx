import { CallForm } from '@stoa/sdk/ui/call-form'
import type { IconName } from '@stoa/sdk/ui/icon'
import { Icon } from '@stoa/sdk/ui/icon'
import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { Emoji, Reaction } from '../shared/api.ts'
import { reactionCalls } from '../shared/api.ts'
import styles from './reactions.module.css'
import { useReactions } from './use-reactions.ts'

const icons: Record<Emoji, IconName> = { heart: 'heart', smile: 'smile', frown: 'frown' }

interface ReactionsProps {
  /** Public id of the post or the answer. */
  id: string
  given: Reaction[]
}

/** What people gave, each a switch with their names, and a menu to give another. */
export function Reactions({ id, given }: ReactionsProps) {
  const t = useText('reactions')
  const { shown, busy, toggle } = useReactions(id, given)
  const emojis = Object.keys(icons) as Emoji[]
  const items = emojis.map((emoji): MenuItem => {
    const isOwn = shown.some((reaction) => reaction.emoji === emoji && reaction.is_active)
    return { label: t(isOwn ? `remove.${emoji}` : `add.${emoji}`), icon: icons[emoji], onSelect: () => void toggle(emoji) }
  })
  return (
    <CallForm
      call={reactionCalls.react}
      members={{ object_id: id, reaction: 'activate', toggle: 'true' }}
      className={styles.form}
      onSubmit={(event) => event.preventDefault()}
    >
      <fieldset aria-label={t('group')} aria-busy={busy} className={styles.reactions}>
        {shown.map(({ emoji, count, tooltip, is_active }) => (
          <button
            key={emoji}
            type="submit"
            name="emoji"
            value={emoji}
            className={styles.reaction}
            aria-pressed={is_active}
            title={tooltip}
            onClick={() => void toggle(emoji)}
          >
            <Icon name={icons[emoji]} size={16} />
            <VisuallyHidden>{t('given', { emoji: t(emoji), names: tooltip })}</VisuallyHidden>
            <Count value={count} />
          </button>
        ))}
        <noscript className={styles.plain}>
          {emojis
            .filter((emoji) => !given.some((reaction) => reaction.emoji === emoji))
            .map((emoji) => (
              <button type="submit" key={emoji} name="emoji" value={emoji} className={styles.reaction} aria-label={t(`add.${emoji}`)}>
                {t(emoji)}
              </button>
            ))}
        </noscript>
        <Menu label={t('add.title')} icon="smile-plus" size="small" align="start" className={styles.add} items={items} />
      </fieldset>
    </CallForm>
  )
}
