import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { PresentText } from '../../history/shared/api.ts'
import type { ExperienceListItem, ExperienceView } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { InfoQuery } from './detail/read-detail.ts'

export type ListQuery = Static<typeof schemas.page.query>
export type LinkedQuery = Static<typeof schemas.linked.query>
export type PersonalQuery = Static<typeof schemas.personal.query>
export type PersonalItem = Static<typeof schemas.personal.reply>['list'][number]
export type AdminQuery = Static<typeof schemas.adminPage.query>
export type AdminPage = Static<typeof schemas.adminPage.reply>
export type Related = Static<typeof schemas.related.reply>
export type Alike = Static<typeof schemas.alike.reply>

/** Reads behind our own routes. What others may call stands in the contract. */
export const reads = {
  page: read<ListQuery, Page<ExperienceListItem>>('experiences.page'),
  info: read<InfoQuery, ExperienceView>('experiences.info'),
  /** What was just written, for who wrote it. */
  written: read<{ n: number }, ExperienceView>('experiences.written'),
  related: read<{ experience_id: string }, Related>('experiences.related'),
  /** `ns`: numbers of posts that search finds for the title, best first. */
  alike: read<{ experience_id: string; ns: number[] }, Alike>('experiences.alike'),
  linked: read<LinkedQuery, Page<ExperienceListItem>>('experiences.linked'),
  similar: read<{ title: string; ns: number[] }, Static<typeof schemas.similar.reply>>('experiences.similar'),
  personal: read<PersonalQuery, Page<PersonalItem>>('experiences.personal'),
  top: read<{ username: string }, Static<typeof schemas.top.reply>>('experiences.top'),
  /** The text of a post, for who changes it. */
  present: read<{ n: number }, PresentText | null>('experiences.present'),
  admin: read<AdminQuery, AdminPage>('experiences.admin'),
}
