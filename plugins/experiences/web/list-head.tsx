import type { PropsOf } from '@stoa/sdk'
import { PageTitle } from '@stoa/sdk/ui/page'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { useLocation, useText } from '@stoa/sdk/web'
import { useNavigation } from '@stoa/sdk/web/live'
import type { experienceSlots } from '../shared/api.ts'
import { ViewSwitch } from './view-switch.tsx'

export const orders = ['newest', 'active', 'hot', 'score', 'frequent', 'unanswered'] as const
export type Order = (typeof orders)[number]

/** Title and tabs of the list; tabs of other plugins are in the row by its menu. */
export function ListHead({ count, order }: { count: number; order?: Order }) {
  const t = useText('experiences')
  const others = useNavigation('experiences.listTabs')
  const { pathname } = useLocation()
  const tabs = orders.map((id) => ({
    label: t(`list.${id}`),
    to: id === 'newest' ? '/experiences' : `/experiences?order=${id}`,
    current: id === order,
  }))
  return (
    <>
      <PageTitle text={t('list.count', { count })} actions={<ViewSwitch />}>
        {t('list.title')}
      </PageTitle>
      <TabLinks
        label={t('list.order')}
        items={[...tabs, ...others.map(({ path, label }) => ({ label, to: path, current: path === pathname }))]}
      />
    </>
  )
}

/** The same above a page of another plugin. */
export default function ForeignListHead({ count }: PropsOf<typeof experienceSlots.listHead>) {
  return <ListHead count={count} />
}
