import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Section } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Link, useApi, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { auditSlots } from '../shared/api.ts'
import { auditCalls } from '../shared/api.ts'
import { Entries } from './entries.tsx'
import { addressOf } from './filters.tsx'

type Log = ReplyOf<typeof auditCalls.page>
const SHOWN = 5

/** What staff did to one object, the last first. */
export default function ObjectSection({ kind, id, version }: PropsOf<typeof auditSlots.object>) {
  const api = useApi()
  const t = useText('audit')
  const [log, setLog] = useState<Log>()
  useEffect(() => {
    const query = { object_kind: kind, object_id: id, page_size: SHOWN }
    void api.send(auditCalls.page, { query }).then(setLog, () => setLog({ count: 0, list: [] }))
  }, [api, kind, id, version])
  return (
    <Section
      title={t('person.title')}
      actions={log && log.count > SHOWN && <Link to={addressOf({ object_kind: kind, object_id: id })}>{t('person.all')}</Link>}
    >
      {!log && <Skeleton lines={3} />}
      {log?.count === 0 && <p>{t('person.none')}</p>}
      {log && log.count > 0 && <Entries entries={log.list} />}
    </Section>
  )
}
