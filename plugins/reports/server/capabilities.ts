import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { staffLog } from '../../audit/shared/api.ts'
import type { reviewDesk } from '../../review/shared/api.ts'
import type { Moderated, moderated, permissions } from '../../site/shared/api.ts'
import type { Tables } from './tables.ts'

/** What the commands of this plugin work with. */
export interface Capabilities {
  ctx: ServerContext<Tables>
  permissions: Needed<typeof permissions>
  /** Owners of what can be flagged. */
  owners: Wanted<typeof moderated>
  desk: Wanted<typeof reviewDesk>
  log: Wanted<typeof staffLog>
}

/** Who owns a kind; undefined while that plugin is off. */
export const ownerOf = ({ owners }: Pick<Capabilities, 'owners'>, kind: string): Moderated | undefined =>
  owners.current.find(({ service }) => service.kind === kind)?.service
