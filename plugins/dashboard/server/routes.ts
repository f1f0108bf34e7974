import type { Needed, Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { siteSettings } from '../../site/shared/api.ts'
import type { Matter, matters, statistics } from '../shared/api.ts'
import { dashboardCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { activityOf } from './activity.ts'
import { createFigures } from './figures.ts'
import { ownMatters } from './own-matters.ts'

interface Partners {
  ctx: ServerContext
  settings: Needed<typeof siteSettings>
  statistics: Wanted<typeof statistics>
  matters: Wanted<typeof matters>
}

const MIB = 1024 * 1024
const size = (bytes: number): string => `${(bytes / MIB).toFixed(2)} MB`
const rate = (part: number, whole: number): string => (whole === 0 ? 0 : (part / whole) * 100).toFixed(2)

/** What the first page of the administration shows. */
export function dashboardRoutes({ ctx, settings, statistics, matters }: Partners): Route[] {
  const figures = createFigures(ctx, statistics)
  const timeZone = async () => (await settings.get('interface')).time_zone || 'UTC'
  const isHttps = () => ctx.site.url.startsWith('https:')

  async function info() {
    const [counted, now, time_zone] = await Promise.all([figures(), ctx.host.measures.now(), timeZone()])
    const of = (name: string) => counted.find((figure) => figure.name === name)?.count ?? 0
    const experience_count = of('experience_count')
    return {
      info: {
        experience_count,
        resolved_count: of('resolved_count'),
        resolved_rate: rate(of('resolved_count'), experience_count),
        unanswered_count: of('unanswered_count'),
        unanswered_rate: rate(of('unanswered_count'), experience_count),
        answer_count: of('answer_count'),
        comment_count: of('comment_count'),
        vote_count: of('vote_count'),
        user_count: of('user_count'),
        report_count: of('report_count'),
        uploading_files: counted.some(({ name }) => name === 'file_bytes'),
        smtp: ctx.host.mail.server.isFixed || ctx.host.mail.server.get().smtp_host ? ('enabled' as const) : ('not_configured' as const),
        https: isHttps(),
        time_zone,
        occupying_storage_space: size(of('file_bytes')),
        app_start_time: String(Math.max(0, ctx.now() - now.startedAt)),
        version_info: { version: now.version, revision: '', remote_version: '' },
        login_required: ctx.site.isPrivate,
        go_version: now.runtime,
        database_version: `${now.database.dialect} ${now.database.version}`,
        database_size: size(now.database.bytes),
      },
    }
  }

  async function overview() {
    const [counted, now, time_zone, asked] = await Promise.all([
      figures(),
      ctx.host.measures.now(),
      timeZone(),
      Promise.all(matters.current.map(({ service }) => service.look())),
    ])
    const said = ({ text, params, tone, path }: Matter) => ({ text: ctx.host.texts.text(text, params), tone, ...(path && { path }) })
    const weights = { danger: 0, warning: 1, info: 2 }
    return {
      matters: [...ownMatters(now), ...asked.flat()].sort((a, b) => weights[a.tone] - weights[b.tone]).map(said),
      figures: counted.flatMap(({ name, text, count, path }) =>
        text === undefined ? [] : [{ name, label: ctx.host.texts.text(text), count, ...(path && { path }) }],
      ),
      system: {
        version: now.version,
        runtime: now.runtime,
        database: `${now.database.dialect === 'postgres' ? 'PostgreSQL' : 'SQLite'} ${now.database.version}`,
        database_bytes: now.database.bytes,
        memory_bytes: now.memory.resident,
        started_at: now.startedAt,
        https: isHttps(),
        time_zone,
        plugins_on: now.plugins.filter(({ state }) => state === 'on').length,
        jobs_due: now.jobs.due,
        jobs_lag: now.jobs.seconds,
        events_lag: now.events.seconds,
      },
    }
  }

  return [
    route(dashboardCalls.info, schemas.info, { access: 'admin', summary: 'Figures of the site and what it runs on', handle: info }),
    route(dashboardCalls.overview, schemas.overview, {
      access: 'admin',
      summary: 'What needs attention, figures and what the site runs on, as the page shows them',
      handle: overview,
    }),
    route(dashboardCalls.activity, schemas.activity, {
      access: 'admin',
      summary: 'What came on each of the last days',
      handle: async ({ query }) => activityOf(ctx, statistics, { days: Number(query.days ?? 30), zone: await timeZone() }),
    }),
  ]
}
