import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Stack } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { LinkRow, Rows } from '@stoa/sdk/ui/rows'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useLogin, useText } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../../accounts/shared/api.ts'
import { voteCalls } from '../shared/api.ts'
import styles from './own-votes-page.module.css'

const size = 20

type Votes = ReplyOf<typeof voteCalls.own>

interface Shown {
  profile: ReplyOf<typeof accountCalls.publicProfile>
  votes: Votes
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const { username = '' } = request.params
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const [profile, votes] = await Promise.all([
    request.get(accountCalls.publicProfile, { query: { username }, allow404: true }),
    request.get(voteCalls.own, { query: { page, page_size: size } }),
  ])
  return { profile, votes, page }
}

export const head = ({ profile }: Shown): Head => ({ canonical: `/users/${profile.username}/votes`, noindex: true })

/** The tab of one's own profile with what one voted on. At somebody else's address it says that this is private. */
export default function OwnVotesPage({ data: { profile, votes, page } }: PageProps<Shown>) {
  const t = useText('votes')
  const { person } = useLogin()
  const isOwn = person?.id === profile.id
  return (
    <Slot
      of={accountSlots.profileFrame}
      props={{
        profile,
        children: isOwn ? (
          <List votes={votes} page={page} />
        ) : (
          <EmptyState icon="lock" title={t('list.private_title')} text={t('list.private_text')} />
        ),
      }}
    />
  )
}

function List({ votes, page }: { votes: Votes; page: number }) {
  const t = useText('votes')
  if (votes.count === 0) return <EmptyState icon="thumb-up" title={t('list.empty_title')} text={t('list.empty_text')} />
  return (
    <Stack gap={4} className={styles.list as string}>
      <Rows label={t('tab')}>
        {votes.list.map((vote) => (
          <LinkRow key={vote.object_id} to={pathOf(vote)} title={vote.title} html={vote.content}>
            <Badge>{vote.vote_type}</Badge>
            <span>{t(vote.answer_id ? 'list.on_answer' : 'list.on_experience')}</span>
            <Time at={vote.created_at} />
          </LinkRow>
        ))}
      </Rows>
      <Pagination page={page} pageSize={size} total={votes.count} />
    </Stack>
  )
}

const pathOf = ({ experience_id, answer_id }: Votes['list'][number]): string =>
  `/experiences/${[experience_id, answer_id].filter(Boolean).join('/')}`
