import { EmptyState } from '@stoa/sdk/ui/empty'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { Section } from '@stoa/sdk/ui/page'
import { Time } from '@stoa/sdk/ui/time'
import { Link } from '@stoa/sdk/web'
import styles from './profile-posts.module.css'
import type { ProfilePost, Tab, TabData } from './profile-tabs.ts'
import { useAccountsText } from './use-accounts-text.ts'

/** What a person wrote, one line each. `hasText`: there is something else to read on the overview. */
export function ProfilePosts({ tab, list, hasText }: { tab: Tab; list: TabData; hasText: boolean }) {
  const t = useAccountsText()
  if (list === null) return null
  if (list.length === 0)
    return tab === 'overview' && hasText ? null : <EmptyState title={t(`profile.no_${tab}`)} text={t('profile.no_posts')} />
  return (
    <Section title={tab === 'overview' ? t('profile.top') : undefined}>
      <ul className={styles.list}>
        {list.map((post) => (
          <Post key={post.path} post={post} />
        ))}
      </ul>
    </Section>
  )
}

function Post({ post }: { post: ProfilePost }) {
  const t = useAccountsText()
  return (
    <li className={styles.row}>
      <Count value={post.votes} label={t('profile.votes')} className={styles.votes ?? ''} />
      <div className={styles.text}>
        <Link to={post.path} className={styles.title}>
          {post.title}
        </Link>
        <p className={styles.meta}>
          {post.isAccepted && (
            <span className={styles.accepted}>
              <Icon name="check" size={16} /> {t('profile.accepted')}
            </span>
          )}
          {post.answers !== null && <span>{t('profile.answer_count', { count: post.answers })}</span>}
          <Time at={post.at} />
        </p>
      </div>
    </li>
  )
}
