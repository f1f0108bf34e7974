import { Badge } from '@stoa/sdk/ui/badge'
import { Chip } from '@stoa/sdk/ui/chip'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Count } from '@stoa/sdk/ui/number'
import { Section } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { LinkRow, Rows } from '@stoa/sdk/ui/rows'
import { Time } from '@stoa/sdk/ui/time'
import type { ProfileList, ProfilePost, Tab, TabData } from './profile-tabs.ts'
import { pageSize } from './profile-tabs.ts'
import { useAccountsText } from './use-accounts-text.ts'

/** What a person wrote: the best of it on the overview, all of a kind behind its tab. `hasText`: there is something else to read on the overview. */
export function ProfilePosts({ tab, data, hasText }: { tab: Tab; data: TabData; hasText: boolean }) {
  if (tab === 'overview') return <Best data={data} hasText={hasText} />
  const list = data[tab]
  return list ? <All tab={tab} list={list} /> : null
}

function Best({ data, hasText }: { data: TabData; hasText: boolean }) {
  const t = useAccountsText()
  const kinds = (['experiences', 'answers'] as const).filter((kind) => data[kind] && data[kind].posts.length > 0)
  if (kinds.length === 0) {
    const isOff = !data.experiences && !data.answers
    return isOff || hasText ? null : <EmptyState title={t('profile.no_overview')} text={t('profile.no_posts')} />
  }
  return kinds.map((kind) => (
    <Section key={kind} title={t(`profile.top_${kind}`)}>
      <Posts posts={data[kind]?.posts ?? []} />
    </Section>
  ))
}

function All({ tab, list }: { tab: Exclude<Tab, 'overview'>; list: ProfileList }) {
  const t = useAccountsText()
  if (list.posts.length === 0) return <EmptyState title={t(`profile.no_${tab}`)} text={t('profile.no_posts')} />
  return (
    <>
      <Posts posts={list.posts} label={t(`profile.${tab}`)} />
      <Pagination page={list.page} pageSize={pageSize} total={list.total} />
    </>
  )
}

const Posts = ({ posts, label }: { posts: ProfilePost[]; label?: string }) => (
  <Rows {...(label && { label })}>
    {posts.map((post) => (
      <Post key={post.path} post={post} />
    ))}
  </Rows>
)

function Post({ post }: { post: ProfilePost }) {
  const t = useAccountsText()
  return (
    <LinkRow to={post.path} title={post.title} figure={<Count value={post.votes} label={t('profile.votes', { count: post.votes })} />}>
      {post.isAccepted && (
        <Badge tone="success" icon="check">
          {t('profile.accepted')}
        </Badge>
      )}
      {post.status && <Badge>{t(`profile.status_${post.status}`)}</Badge>}
      {post.tags.map(({ slug, name }) => (
        <Chip key={slug} name={name} to={`/tags/${encodeURIComponent(slug)}`} />
      ))}
      {post.answers !== null && <span>{t('profile.answer_count', { count: post.answers })}</span>}
      <Time at={post.at} />
    </LinkRow>
  )
}
