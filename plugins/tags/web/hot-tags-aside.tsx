import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Chip } from '@stoa/sdk/ui/chip'
import type { kernelSlots } from '@stoa/sdk/web'
import { useData, useLogin, useText } from '@stoa/sdk/web'
import { lazy, Suspense } from 'react'
import { tagCalls } from '../shared/api.ts'
import styles from './hot-tags-aside.module.css'
import { chipOf } from './tag-chip.ts'

const shown = 12
const own = /^\/tags\/?$/
/** Home, lists and tags. */
const withFollowed = /^\/($|tags|experiences\/?$|recommended)/

const FollowedTags = lazy(() => import('./followed-tags.tsx'))

const drawn = {
  name: 'drawn',
  of: ({ list }: ReplyOf<typeof tagCalls.page>) =>
    list.filter((tag) => tag.experience_count > 0).map((tag) => ({ id: tag.tag_id, ...chipOf(tag) })),
}

/** The most used tags, beside every page but their own list; below them, so that nothing moves, those that a member follows. */
export default function HotTagsAside({ path }: PropsOf<typeof kernelSlots.aside>) {
  const { isLoggedIn } = useLogin()
  return (
    <>
      {!own.test(path) && <HotTags />}
      {withFollowed.test(path) && (
        <div className={styles.followed}>
          <Suspense>{isLoggedIn && <FollowedTags />}</Suspense>
        </div>
      )}
    </>
  )
}

function HotTags() {
  const t = useText('tags')
  const tags = useData(tagCalls.page, { page: 1, page_size: shown, query_cond: 'popular' }, drawn)
  if (tags.length === 0) return null
  return (
    <section className={styles.box} aria-labelledby="hot-tags-title">
      <h2 id="hot-tags-title" className={styles.title}>
        {t('aside.hot')}
      </h2>
      <ul className={styles.tags}>
        {tags.map(({ id, ...chip }) => (
          <li key={id}>
            <Chip {...chip} />
          </li>
        ))}
      </ul>
    </section>
  )
}
