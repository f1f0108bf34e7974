import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/server'
import { insertedId, uniqueOr } from '@stoa/sdk/server'
import { reasonsOf } from '../../site/shared/api.ts'
import { reportErrors, reportEvents } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './capabilities.ts'
import { ownerOf } from './capabilities.ts'

/** Reason whose text names what is repeated. */
const DUPLICATE = 60
const DELETED = 10

/** Takes a flag. */
export async function flag(
  capabilities: Capabilities,
  person: Person,
  { object_id, report_type, content }: Static<typeof schemas.create.body>,
): Promise<void> {
  const { ctx, permissions, desk } = capabilities
  const name = ctx.ids.decode(object_id)
  const found = name && (await ownerOf(capabilities, name.kind)?.find(name.n, person))
  if (!name || !found || found.status === DELETED) throw reportErrors.object_not_found({ id: object_id })
  if (found.authorId === person.id) throw reportErrors.own_content({ id: object_id })
  await permissions.require(person, 'report.add')
  const reasons = (await ctx.read(reasonsOf, { objectType: name.kind, action: 'flag' })) ?? []
  const reason = reasons.find((one) => one.reason_type === report_type)
  if (!reason) throw reportErrors.not_found({ id: report_type })
  const text = reason.have_content ? content.trim() : ''
  if (reason.have_content && text === '') throw fieldErrors({ content: 'validation.required' })
  if (report_type === DUPLICATE && !isOwnAddress(text, ctx.site.url)) throw reportErrors.invalid_url({ found: text })
  const storing = ctx.db.write(async (tx) => {
    const n = await insertedId(tx, 'reports__report', {
      object_kind: name.kind,
      object_n: name.n,
      person_id: person.id,
      author_id: found.authorId,
      reason_type: report_type,
      content: text,
      created_at: ctx.now(),
    })
    await ctx.emit(reportEvents.created, { n, objectId: ctx.ids.encode(name.kind, name.n), personId: person.id })
    await desk.current?.changed()
  })
  await storing.catch((error: unknown) => {
    throw uniqueOr(error, {
      'reports__report.object_kind,object_n,person_id': () => reportErrors.flagged_already({ id: object_id }),
    })
  })
}

/** An address on this very site. */
function isOwnAddress(text: string, site: string): boolean {
  return URL.canParse(text) && new URL(text).origin === new URL(site).origin
}
