import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Link, useApi, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { accountCalls } from '../shared/api.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** On the first page of the admin, when the nightly check found reputations that do not add up: whose, and a way to set them right. */
export default function ReputationCheck() {
  const t = useAccountsText()
  const api = useApi()
  const toast = useToast()
  const [found, setFound] = useState<ReplyOf<typeof accountCalls.reputationCheck>>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let isLatest = true
    api.send(accountCalls.reputationCheck, { passingError: true, ignoreServerError: true }).then(
      (reply) => isLatest && setFound(reply),
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [api])
  if (!found || found.count === 0) return null

  async function correct(): Promise<void> {
    setBusy(true)
    try {
      await api.send(accountCalls.correctReputation)
      setFound(undefined)
      toast({ tone: 'success', text: t('reputation_check.corrected') })
    } catch {
      // The kernel has said why.
    }
    setBusy(false)
  }

  return (
    <Notice
      tone="warning"
      title={t('reputation_check.title', { count: found.count })}
      action={
        <Button busy={busy} onClick={() => void correct()}>
          {t('reputation_check.correct')}
        </Button>
      }
    >
      <p>{t('reputation_check.text')}</p>
      <ul>
        {found.list.map((row) => (
          <li key={row.user_id}>
            <Link to={`/users/${row.username}`}>
              {t('reputation_check.line', { name: row.display_name, rank: row.rank, ledger: row.ledger })}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
