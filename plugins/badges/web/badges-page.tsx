import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Icon } from '@stoa/sdk/ui/icon'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { badgeCalls } from '../shared/api.ts'
import { BadgeList } from './badge-list.tsx'
import styles from './badges.module.css'

type Groups = ReplyOf<typeof badgeCalls.list>

export const load = (request: PageRequest): Promise<Groups> => request.get(badgeCalls.list)

export const head = (_: Groups, { t }: { t: Translate }): Head => ({ title: t('title'), description: t('intro'), canonical: '/badges' })

/** Everything that can be earned, by group, and what the reader has of it. */
export default function BadgesPage({ data: groups }: PageProps<Groups>) {
  const t = useText('badges')
  return (
    <>
      <PageTitle text={t('intro')}>{t('title')}</PageTitle>
      {groups.length === 0 && <EmptyState icon="award" title={t('empty.title')} text={t('empty.text')} />}
      {groups.map((group) => (
        <Section key={group.group_name} title={group.group_name}>
          <BadgeList
            badges={group.badges}
            facts={(badge) => (
              <>
                <span>{t('awarded', { count: badge.award_count })}</span>
                {badge.earned_count > 0 && (
                  <span className={styles.own}>
                    <Icon name="check" size={14} />
                    {badge.earned_count > 1 ? t('own_times', { count: badge.earned_count }) : t('own')}
                  </span>
                )}
              </>
            )}
          />
        </Section>
      ))}
    </>
  )
}
