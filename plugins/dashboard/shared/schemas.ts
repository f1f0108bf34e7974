import { oneOf, Type } from '@stoa/sdk/schema'

const text = Type.String()
const whole = Type.Integer()

/** The protocol's, with its names. */
export const info = {
  reply: Type.Object({
    info: Type.Object({
      experience_count: whole,
      resolved_count: whole,
      resolved_rate: text,
      unanswered_count: whole,
      unanswered_rate: text,
      answer_count: whole,
      comment_count: whole,
      vote_count: whole,
      user_count: whole,
      report_count: whole,
      uploading_files: Type.Boolean(),
      smtp: oneOf(['enabled', 'disabled', 'not_configured']),
      https: Type.Boolean(),
      time_zone: text,
      occupying_storage_space: text,
      app_start_time: text,
      version_info: Type.Object({ version: text, revision: text, remote_version: text }),
      login_required: Type.Boolean(),
      go_version: text,
      database_version: text,
      database_size: text,
    }),
  }),
}

export const overview = {
  reply: Type.Object({
    matters: Type.Array(Type.Object({ text, tone: oneOf(['info', 'warning', 'danger']), path: Type.Optional(text) })),
    figures: Type.Array(Type.Object({ name: text, label: text, count: whole, path: Type.Optional(text) })),
    system: Type.Object({
      version: text,
      runtime: text,
      database: text,
      database_bytes: whole,
      memory_bytes: whole,
      started_at: whole,
      https: Type.Boolean(),
      time_zone: text,
      plugins_on: whole,
      jobs_due: whole,
      jobs_lag: whole,
      events_lag: whole,
    }),
  }),
}

export const activity = {
  query: Type.Object({ days: Type.Optional(oneOf(['30', '90', '365'])) }),
  reply: Type.Object({
    /** Of each column, oldest first: `2026-11-23` in the site's time zone. */
    days: Type.Array(text),
    series: Type.Array(Type.Object({ name: text, label: text, counts: Type.Array(whole) })),
  }),
}
