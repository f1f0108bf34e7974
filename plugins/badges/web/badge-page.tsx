import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Icon } from '@stoa/sdk/ui/icon'
import { Section } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useText } from '@stoa/sdk/web'
import type { Award } from '../shared/api.ts'
import { badgeCalls } from '../shared/api.ts'
import styles from './badge-page.module.css'
import { Medal } from './medal.tsx'

const size = 20

interface Shown {
  badge: ReplyOf<typeof badgeCalls.info>
  awards: ReplyOf<typeof badgeCalls.awards>
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const { badge_id: id = '' } = request.params
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const [badge, awards] = await Promise.all([
    request.get(badgeCalls.info, { query: { id }, allow404: true }),
    request.get(badgeCalls.awards, { query: { badge_id: id, page, page_size: size }, allow404: true }),
  ])
  return { badge, awards, page }
}

export const head = ({ badge, page }: Shown): Head => ({
  title: badge.name,
  description: badge.description,
  canonical: `/badges/${badge.id}${page > 1 ? `?page=${page}` : ''}`,
})

/** How a badge is earned, and who has. */
export default function BadgePage({ data: { badge, awards, page } }: PageProps<Shown>) {
  const t = useText('badges')
  return (
    <>
      <p>
        <Link to="/badges" className={styles.back}>
          <Icon name="arrow-left" /> {t('page.all')}
        </Link>
      </p>
      <header className={styles.head}>
        <Medal icon={badge.icon} level={badge.level} size="large" />
        <div className={styles.words}>
          <h1>{badge.name}</h1>
          <p>{badge.description}</p>
          <p className={styles.facts}>
            <span>{t(`level.${badge.level}`)}</span>
            <span>{t('awarded', { count: badge.award_count })}</span>
            <span>{t(badge.is_single ? 'page.once' : 'page.repeats')}</span>
            {badge.earned_count > 0 && (
              <span className={styles.own}>
                <Icon name="check" size={14} />
                {badge.earned_count > 1 ? t('own_times', { count: badge.earned_count }) : t('own')}
              </span>
            )}
          </p>
        </div>
      </header>
      <Section title={t('page.people')}>
        {awards.list.length === 0 ? (
          <EmptyState icon="users" level={3} title={t('page.empty_title')} text={t('page.empty_text')} />
        ) : (
          <ul className={styles.list}>
            {awards.list.map((award) => (
              <Row key={`${award.author_user_info.id} ${award.object_id} ${award.created_at}`} award={award} />
            ))}
          </ul>
        )}
        <Pagination page={page} pageSize={size} total={awards.count} />
      </Section>
    </>
  )
}

function Row({ award }: { award: Award }) {
  const t = useText('badges')
  const person = award.author_user_info
  return (
    <li className={styles.row}>
      <Avatar name={person.display_name} src={person.avatar} size={40} />
      <div className={styles.who}>
        <p className={styles.line}>
          {person.username && person.status !== 'deleted' ? (
            <Link to={`/users/${person.username}`} dir="auto" className={styles.name}>
              {person.display_name}
            </Link>
          ) : (
            <span className={styles.name}>{person.display_name}</span>
          )}
          <Time at={award.created_at} className={styles.time as string} />
        </p>
        {award.experience_id && (
          <p className={styles.post}>
            <Link to={`/experiences/${[award.experience_id, award.answer_id].filter(Boolean).join('/')}`} data-stop="" dir="auto">
              {t('page.for', { title: award.url_title })}
            </Link>
          </p>
        )}
      </div>
    </li>
  )
}
