import type { ServerContext } from '@stoa/sdk/server'
import type { Matter } from '../../dashboard/shared/api.ts'
import type { Undelivered } from './undelivered.ts'

const PATH = '/admin/smtp'

/** What an admin should know about mails: nobody gets them, or some did not arrive. */
export async function mailMatters(ctx: ServerContext, undelivered: Undelivered): Promise<Matter[]> {
  const { server } = ctx.host.mail
  const found: Matter[] = []
  if (!server.isFixed && server.get().smtp_host === '') found.push({ text: 'mail.matter.no_server', tone: 'warning', path: PATH })
  const { count } = await undelivered.page(1, 1)
  if (count > 0) found.push({ text: 'mail.matter.undelivered', params: { count }, tone: 'warning', path: PATH })
  return found
}
