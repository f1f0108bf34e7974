import { Icon } from '@stoa/sdk/ui/icon'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import type { ListView } from '@stoa/sdk/web'
import { useListView, useSession, useText } from '@stoa/sdk/web'
import styles from './view-switch.module.css'

const views: [view: ListView, icon: 'list' | 'grid'][] = [
  ['rows', 'list'],
  ['cards', 'grid'],
]

/** Lists of posts as rows or as cards, everywhere, until the reader wants them otherwise. */
export function ViewSwitch() {
  const t = useText('experiences')
  const present = useListView()
  const { setListView } = useSession()
  return (
    <fieldset className={styles.views} aria-label={t('list.view')}>
      {views.map(([view, icon]) => (
        <button
          key={view}
          type="button"
          className={styles.view}
          aria-pressed={view === present}
          title={t(`list.${view}`)}
          onClick={() => setListView(view)}
        >
          <Icon name={icon} size={18} />
          <VisuallyHidden>{t(`list.${view}`)}</VisuallyHidden>
        </button>
      ))}
    </fieldset>
  )
}
