import type { ReplyOf } from '@stoa/sdk'
import type { RowAct, RowWork } from '@stoa/sdk/ui/choice-rows'
import { useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import { siteCalls } from '../../site/shared/api.ts'
import { answerCalls } from '../shared/api.ts'

type Row = ReplyOf<typeof answerCalls.adminPage>['list'][number]
type Act = 'delete' | 'undelete' | 'purge'

const icons = { delete: 'trash', undelete: 'undo', purge: 'trash' } as const

interface AdminActsNeeds {
  /** The rows are deleted ones. */
  isBin: boolean
  work: RowWork<Row>
  reload(): Promise<void>
}

/** What the admin's list offers for its rows, asks before doing, and does. */
export function useAdminActs({ isBin, work, reload }: AdminActsNeeds) {
  const t = useText('answers')
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()

  const send = (act: Act, { id }: Row): Promise<unknown> => {
    const errors = { passingError: true, ignoreServerError: true }
    if (act === 'purge') return api.send(siteCalls.emptyBin, { body: { type: 'answers', ids: [id] }, ...errors })
    if (act === 'delete') return api.send(answerCalls.remove, { body: { id }, ...errors })
    return api.send(answerCalls.recover, { body: { answer_id: id }, ...errors })
  }

  async function start(act: Act, rows: readonly Row[]): Promise<void> {
    const tone = act === 'undelete' ? 'normal' : 'danger'
    const title = t(`admin.confirm.${act}`, { count: rows.length })
    if (!(await confirm({ title, confirm: t(`admin.act.${act}`), tone }))) return
    const done = await work.run(rows, (row) => send(act, row))
    if (done > 0) toast({ text: t('admin.done', { count: done }), tone: 'success' })
    await reload()
  }

  async function emptyBin(): Promise<void> {
    if (!(await confirm({ title: t('admin.confirm.purge_all'), confirm: t('admin.purge_all'), tone: 'danger' }))) return
    try {
      await api.send(siteCalls.emptyBin, { body: { type: 'answers' } })
    } catch {
      return
    }
    await reload()
  }

  const acts = (rows: readonly Row[]): RowAct[] =>
    (isBin ? (['undelete', 'purge'] as const) : (['delete'] as const)).map((act) => ({
      label: t(`admin.act.${act}`),
      icon: icons[act],
      ...(act !== 'undelete' && { tone: 'danger' as const }),
      onSelect: () => void start(act, rows),
    }))
  return { acts, emptyBin }
}
