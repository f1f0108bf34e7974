import type { BodyOf, ReplyOf } from '@stoa/sdk'
import type { RowAct, RowWork } from '@stoa/sdk/ui/choice-rows'
import type { IconName } from '@stoa/sdk/ui/icon'
import { useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { experienceCalls } from '../shared/api.ts'

const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }))

export const adminStates = ['normal', 'closed', 'deleted', 'pending'] as const
export type AdminState = (typeof adminStates)[number]
export type AdminPosts = ReplyOf<typeof experienceCalls.adminPage>
export type AdminRow = AdminPosts['list'][number]

type Operation = BodyOf<typeof experienceCalls.operate>['operation']
type Act = Operation | 'close' | 'reopen' | 'delete' | 'undelete' | 'purge'

const SET = 2
const icons: Record<Act, IconName> = {
  close: 'lock',
  reopen: 'undo',
  undelete: 'undo',
  pin: 'pin',
  unpin: 'pin',
  hide: 'eye-off',
  show: 'eye',
  delete: 'trash',
  purge: 'trash',
}

/** What can be done with a post, in the order of the menu. */
function actsOf(row: AdminRow, status: AdminState): Act[] {
  if (status === 'deleted') return ['undelete', 'purge']
  if (status === 'pending') return ['delete']
  const listing: Act[] = row.pin === SET ? ['unpin'] : row.show === SET ? ['show'] : ['pin', 'hide']
  return [status === 'closed' ? 'reopen' : 'close', ...listing, 'delete']
}

interface AdminActsNeeds {
  status: AdminState
  work: RowWork<AdminRow>
  reload(): Promise<void>
}

/** What the admin's list offers for its rows, asks before doing, and does. */
export function useAdminActs({ status, work, reload }: AdminActsNeeds) {
  const t = useText('experiences')
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const [closing, setClosing] = useState<readonly AdminRow[]>()

  const send = (act: Exclude<Act, 'close'>, { id }: AdminRow): Promise<unknown> => {
    const errors = { passingError: true, ignoreServerError: true }
    if (act === 'delete') return api.send(experienceCalls.remove, { body: { id }, ...errors })
    if (act === 'undelete') return api.send(experienceCalls.recover, { body: { experience_id: id }, ...errors })
    if (act === 'reopen') return api.send(experienceCalls.reopen, { body: { experience_id: id }, ...errors })
    if (act === 'purge') return api.send(siteCalls.emptyBin, { body: { type: 'experiences', ids: [id] }, ...errors })
    return api.send(experienceCalls.operate, { body: { id, operation: act }, ...errors })
  }

  async function start(act: Act, rows: readonly AdminRow[]): Promise<void> {
    if (act === 'close') return setClosing(rows)
    const tone = act === 'delete' || act === 'purge' ? 'danger' : 'normal'
    const title = t(`admin.confirm.${act}`, { count: rows.length })
    if (!(await confirm({ title, confirm: t(`admin.act.${act}`), tone }))) return
    const done = await work.run(rows, (row) => send(act, row))
    if (done > 0) toast({ text: t('admin.done', { count: done }), tone: 'success' })
    await reload()
  }

  const acts = (rows: readonly AdminRow[]): RowAct[] => {
    const named = [...new Set(rows.flatMap((row) => actsOf(row, status)))]
    return named.map((act) => ({
      label: t(`admin.act.${act}`),
      icon: icons[act],
      ...((act === 'delete' || act === 'purge') && { tone: 'danger' as const }),
      onSelect: () =>
        void start(
          act,
          rows.filter((row) => actsOf(row, status).includes(act)),
        ),
    }))
  }

  async function emptyBin(): Promise<void> {
    if (!(await confirm({ title: t('admin.confirm.purge_all'), confirm: t('admin.purge_all'), tone: 'danger' }))) return
    try {
      await api.send(siteCalls.emptyBin, { body: { type: 'experiences' } })
    } catch {
      return
    }
    await reload()
  }

  const dialogs: ReactNode = closing && (
    <Suspense fallback={null}>
      <CloseDialog posts={closing} onClose={() => setClosing(undefined)} onDone={reload} />
    </Suspense>
  )
  return { acts, emptyBin, dialogs }
}
