import type { ReplyOf } from '@stoa/sdk'
import { Chip } from '@stoa/sdk/ui/chip'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Count } from '@stoa/sdk/ui/number'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { LinkRow, Rows } from '@stoa/sdk/ui/rows'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, Slot, useLogin, usePlace, usePluginOn, useText } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../../accounts/shared/api.ts'
import { bookmarkCalls } from '../shared/api.ts'
import styles from './bookmarks-page.module.css'

const size = 20

type Bookmarks = ReplyOf<typeof bookmarkCalls.own>

interface Shown {
  profile: ReplyOf<typeof accountCalls.publicProfile>
  bookmarks: Bookmarks
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const { username = '' } = request.params
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const [profile, bookmarks] = await Promise.all([
    request.get(accountCalls.publicProfile, { query: { username }, allow404: true }),
    request.get(bookmarkCalls.own, { query: { page, page_size: size } }),
  ])
  return { profile, bookmarks, page }
}

export const head = ({ profile }: Shown): Head => ({ canonical: `/users/${profile.username}/bookmarks`, noindex: true })

/** The tab of one's own profile with what one has bookmarked. At somebody else's address it says that this is private. */
export default function BookmarksPage({ data: { profile, bookmarks, page } }: PageProps<Shown>) {
  const t = useText('bookmarks')
  const { person } = useLogin()
  const isOwn = person?.id === profile.id
  return (
    <Slot
      of={accountSlots.profileFrame}
      props={{
        profile,
        children: isOwn ? (
          <List bookmarks={bookmarks} page={page} />
        ) : (
          <EmptyState icon="lock" title={t('list.private_title')} text={t('list.private_text')} />
        ),
      }}
    />
  )
}

function List({ bookmarks, page }: { bookmarks: Bookmarks; page: number }) {
  const t = useText('bookmarks')
  const search = usePlace('search')
  const isSearchOn = usePluginOn('search')
  if (bookmarks.count === 0) return <EmptyState icon="bookmark" title={t('list.empty_title')} text={t('list.empty_text')} />
  return (
    <div className={styles.bookmarks}>
      {isSearchOn && search !== undefined && (
        <p>
          <Link to={`${search}?q=is%3Abookmarked`}>{t('list.search')}</Link>
        </p>
      )}
      <Rows label={t('tab')}>
        {bookmarks.list.map((post) => (
          <LinkRow
            key={post.id}
            to={`/experiences/${post.id}`}
            title={post.title}
            figure={<Count value={post.vote_count} label={t('list.votes', { count: post.vote_count })} />}
          >
            {post.tags.map((tag) => (
              <Chip key={tag.slug_name} name={tag.display_name} to={`/tags/${encodeURIComponent(tag.slug_name)}`} />
            ))}
            <span>{t('list.answers', { count: post.answer_count })}</span>
            <Time at={post.create_time} />
          </LinkRow>
        ))}
      </Rows>
      <Pagination page={page} pageSize={size} total={bookmarks.count} />
    </div>
  )
}
