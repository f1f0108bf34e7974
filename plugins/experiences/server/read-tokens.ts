import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { ExperienceListItem, ExperienceView } from '../shared/api.ts'
import type { AdminQuery } from './read-admin.ts'
import type { InfoQuery } from './read-detail.ts'
import type { ListQuery } from './read-lists.ts'
import type { PersonalQuery } from './read-people.ts'

/** Reads behind our own routes. What others may call stands in the contract. */
export const reads = {
  page: read<ListQuery, Page<ExperienceListItem>>('experiences.page'),
  info: read<InfoQuery, ExperienceView>('experiences.info'),
  related: read<{ experience_id: string }, { count: number; list: ExperienceListItem[] | null }>('experiences.related'),
  linked: read<ListQuery & { experience_id: string }, Page<ExperienceListItem>>('experiences.linked'),
  similar: read<{ title: string; ns: number[] }, object[]>('experiences.similar'),
  personal: read<PersonalQuery, Page<object>>('experiences.personal'),
  top: read<{ username: string }, object>('experiences.top'),
  admin: read<AdminQuery, Page<object>>('experiences.admin'),
}
