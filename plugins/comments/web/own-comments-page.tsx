import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Stack } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { LinkRow, Rows } from '@stoa/sdk/ui/rows'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useText } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../../accounts/shared/api.ts'
import { commentCalls } from '../shared/api.ts'
import styles from './own-comments-page.module.css'

const size = 20

type Comments = ReplyOf<typeof commentCalls.personal>

interface Shown {
  profile: ReplyOf<typeof accountCalls.publicProfile>
  comments: Comments
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const { username = '' } = request.params
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const profile = await request.get(accountCalls.publicProfile, { query: { username }, allow404: true })
  return { profile, comments: await request.get(commentCalls.personal, { query: { username, page, page_size: size } }), page }
}

export const head = ({ profile }: Shown): Head => ({
  title: `${profile.display_name} (@${profile.username})`,
  canonical: `/users/${profile.username}/comments`,
  noindex: true,
})

/** The tab of a profile with what somebody commented. */
export default function OwnCommentsPage({ data: { profile, comments, page } }: PageProps<Shown>) {
  return <Slot of={accountSlots.profileFrame} props={{ profile, children: <List comments={comments} page={page} /> }} />
}

function List({ comments, page }: { comments: Comments; page: number }) {
  const t = useText('comments')
  if (comments.count === 0) return <EmptyState icon="message" title={t('own.empty_title')} text={t('own.empty_text')} />
  return (
    <Stack gap={4} className={styles.list as string}>
      <Rows label={t('tab')}>
        {comments.list.map((comment) => (
          <LinkRow key={comment.comment_id} to={pathOf(comment)} title={comment.title} html={comment.content}>
            <span>{t(comment.answer_id ? 'own.on_answer' : 'own.on_experience')}</span>
            <Time at={comment.created_at} />
          </LinkRow>
        ))}
      </Rows>
      <Pagination page={page} pageSize={size} total={comments.count} />
    </Stack>
  )
}

const pathOf = ({ experience_id, answer_id, comment_id }: Comments['list'][number]): string =>
  `/experiences/${[experience_id, answer_id].filter(Boolean).join('/')}?commentId=${comment_id}#comment-${comment_id}`
