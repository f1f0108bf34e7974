import { Select, TextArea, TextField } from '@stoa/sdk/ui/field'
import { useApi } from '@stoa/sdk/web'
import { accountCalls, suspensionTimes } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import { FormDialog } from './form-dialog.tsx'
import type { PersonDialogProps } from './person-dialogs.tsx'
import { useDone } from './person-dialogs.tsx'

type Time = (typeof suspensionTimes)[number] | 'date'

/** The day after, in the reader's own zone: as `2026-11-24`. */
const dayAfter = (days: number): string => {
  const day = new Date()
  day.setDate(day.getDate() + days)
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
}
const endOf = (day: string): number => Math.floor(Date.parse(`${day}T23:59:59`) / 1000)

/** Until when somebody is suspended, and why. */
export function SuspendDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const isChange = person.status === 'suspended'
  const form = useForm<{ time: Time; suspended_until: string; reason: string }>({
    initial: { time: '7d', suspended_until: dayAfter(7), reason: '' },
    send: async ({ time, suspended_until, reason }) => {
      const end = endOf(suspended_until)
      const until = time === 'date' ? { suspended_until: Number.isNaN(end) ? 1 : end } : { suspend_duration: time }
      const body = { user_id: person.user_id, status: 'suspended' as const, ...until, ...(reason.trim() && { reason: reason.trim() }) }
      await api.send(accountCalls.setState, { body, passingError: true })
      done('admin.suspend_dialog.done')
    },
  })
  const times: Time[] = [...suspensionTimes, 'date']
  return (
    <FormDialog
      title={t(isChange ? 'admin.suspend_dialog.change_title' : 'admin.suspend_dialog.title', { name: person.display_name })}
      text={t('admin.suspend_dialog.text')}
      submit={t(isChange ? 'admin.suspend_dialog.change' : 'admin.suspend_dialog.submit')}
      danger={!isChange}
      form={form}
      onClose={onClose}
    >
      <Select
        name="time"
        label={t('admin.suspend_dialog.for')}
        value={form.values.time}
        onChange={(time) => form.set('time', time as Time)}
        options={times.map((value) => ({ value, label: t(`admin.suspend_dialog.${value}`) }))}
      />
      {form.values.time === 'date' && (
        <TextField
          type="date"
          name="suspended_until"
          label={t('admin.suspend_dialog.day')}
          min={dayAfter(0)}
          value={form.values.suspended_until}
          error={form.errors.suspended_until}
          onChange={(day) => form.set('suspended_until', day)}
        />
      )}
      <TextArea
        name="reason"
        label={t('admin.suspend_dialog.reason')}
        help={t('admin.suspend_dialog.reason_help')}
        rows={3}
        maxLength={500}
        value={form.values.reason}
        error={form.errors.reason}
        onChange={(reason) => form.set('reason', reason)}
      />
    </FormDialog>
  )
}
