import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { Slot, useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { answerCalls, answerSlots } from '../shared/api.ts'
import type { Experience, ReadAnswer } from './types.ts'
import { can } from './types.ts'

const AVAILABLE = 1
const DELETED = 10

interface AnswerMenuProps {
  answer: ReadAnswer
  experience: Experience
  /** Not: no entries of other plugins. */
  live: boolean
  onChange(next: ReadAnswer): void
}

/** What one does rarely, and what one should not do by accident. */
export function AnswerMenu({ answer, experience, live, onChange }: AnswerMenuProps) {
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const t = useText('answers')

  /** Asks, sends, and shows the answer in its new state; member actions follow when the page is loaded anew. */
  async function change(name: 'delete' | 'undelete', send: () => Promise<unknown>): Promise<void> {
    const isDelete = name === 'delete'
    const tone = isDelete ? 'danger' : 'normal'
    if (!(await confirm({ title: t(`${name}.title`), text: t(`${name}.text`), confirm: t(`${name}.confirm`), tone }))) return
    try {
      await send()
      const other = isDelete ? 'undelete' : 'delete'
      const actions = (answer.member_actions ?? []).map((entry) => (entry.action === name ? { ...entry, action: other } : entry))
      onChange({ ...answer, status: isDelete ? DELETED : AVAILABLE, accepted: 1, member_actions: actions })
      toast({ text: t(`${name}.done`), tone: 'success' })
    } catch (error) {
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) toast({ text: message, tone: 'danger' })
    }
  }

  const quiet = { ignoreServerError: true }
  const items: MenuItem[] = []
  if (can(answer, 'delete')) {
    items.push({
      label: t('delete.confirm'),
      icon: 'trash',
      tone: 'danger',
      onSelect: () => void change('delete', () => api.send(answerCalls.remove, { body: { id: answer.id }, ...quiet })),
    })
  }
  if (can(answer, 'undelete')) {
    items.push({
      label: t('undelete.confirm'),
      icon: 'undo',
      onSelect: () => void change('undelete', () => api.send(answerCalls.recover, { body: { answer_id: answer.id }, ...quiet })),
    })
  }
  const menu = (more?: ReactNode) => <Menu label={t('actions')} items={items} size="small" more={more} />
  const own = items.length > 0 && menu()
  if (!live) return own
  return <Slot of={answerSlots.menu} props={{ id: answer.id, experienceId: experience.id, answer }} around={menu} empty={own} />
}
