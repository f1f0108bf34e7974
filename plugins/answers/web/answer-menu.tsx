import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { useKernel, useSite, useText } from '@stoa/sdk/web'
import { experiencePath } from '../../experiences/shared/api.ts'
import type { AnswerView } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import type { Experience } from './types.ts'
import { can } from './types.ts'

const AVAILABLE = 1
const DELETED = 10

interface AnswerMenuProps {
  answer: AnswerView
  experience: Experience
  onChange(next: AnswerView): void
}

/** What one does rarely, and what one should not do by accident. */
export function AnswerMenu({ answer, experience, onChange }: AnswerMenuProps) {
  const kernel = useKernel()
  const t = useText('answers')
  const site = useSite()

  async function copyLink(): Promise<void> {
    const path = experiencePath(Number(site.site_seo?.permalink) || 1, experience, answer.id)
    try {
      await navigator.clipboard.writeText(new URL(path, location.href).href)
      kernel.toast({ text: t('link_copied'), tone: 'success' })
    } catch {
      kernel.toast({ text: t('copy_failed'), tone: 'danger' })
    }
  }

  /** Asks, sends, and shows the answer in its new state; member actions follow when the page is loaded anew. */
  async function change(name: 'delete' | 'undelete', send: () => Promise<unknown>): Promise<void> {
    const isDelete = name === 'delete'
    const tone = isDelete ? 'danger' : 'normal'
    if (!(await kernel.confirm({ title: t(`${name}.title`), text: t(`${name}.text`), confirm: t(`${name}.confirm`), tone }))) return
    try {
      await send()
      const other = isDelete ? 'undelete' : 'delete'
      const actions = (answer.member_actions ?? []).map((entry) => (entry.action === name ? { ...entry, action: other } : entry))
      onChange({ ...answer, status: isDelete ? DELETED : AVAILABLE, accepted: 1, member_actions: actions })
      kernel.toast({ text: t(`${name}.done`), tone: 'success' })
    } catch (error) {
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) kernel.toast({ text: message, tone: 'danger' })
    }
  }

  const quiet = { ignoreServerError: true }
  const items: MenuItem[] = [{ label: t('copy_link'), icon: 'link', onSelect: () => void copyLink() }]
  if (can(answer, 'delete')) {
    items.push('separator', {
      label: t('delete.confirm'),
      icon: 'trash',
      tone: 'danger',
      onSelect: () => void change('delete', () => kernel.api.send(answerCalls.remove, { body: { id: answer.id }, ...quiet })),
    })
  }
  if (can(answer, 'undelete')) {
    items.push('separator', {
      label: t('undelete.confirm'),
      icon: 'undo',
      onSelect: () => void change('undelete', () => kernel.api.send(answerCalls.recover, { body: { answer_id: answer.id }, ...quiet })),
    })
  }
  return <Menu label={t('actions')} items={items} size="small" />
}
