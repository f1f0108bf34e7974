import { Link, useText } from '@stoa/sdk/web'
import type { AdminPostRow } from '../../experiences/shared/api.ts'

/** In the admin's list of posts: how many answers stand, and the way to them. */
export default function AdminFacts({ row }: { row: AdminPostRow }) {
  const t = useText('answers')
  const words = t('admin.of_post', { count: row.answer_count })
  if (row.answer_count === 0) return <span>{words}</span>
  return <Link to={`/admin/answers?experience_id=${row.id}`}>{words}</Link>
}
