import { RadioGroup, TextArea } from '@stoa/sdk/ui/field'
import { useApi, useToast } from '@stoa/sdk/web'
import { accountCalls } from '../../shared/api.ts'
import { FormField } from '../parts/form-field.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import { FormDialog } from './form-dialog.tsx'

/** Whom a dialog is about. */
export interface ActedOn {
  user_id: string
  username: string
  display_name: string
  e_mail: string
  status: string
  role_id: number
  suspended_until: number
}

export interface PersonDialogProps {
  person: ActedOn
  onClose(): void
  /** Something was done: what is shown is old. */
  onDone(): void
}

/** Closes the dialog, says what was done and has the page ask anew. */
export function useDone({ person, onClose, onDone }: PersonDialogProps) {
  const t = useAccountsText()
  const toast = useToast()
  return (text: string) => {
    toast({ text: t(text, { name: person.display_name }), tone: 'success' })
    onClose()
    onDone()
  }
}

export function RoleDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const form = useForm({
    initial: { role: String(person.role_id) },
    send: async ({ role }) => {
      const role_id = Number(role) as 1 | 2 | 3
      await api.send(accountCalls.setRole, { body: { user_id: person.user_id, role_id }, passingError: true })
      done('admin.role_dialog.done')
    },
  })
  return (
    <FormDialog
      title={t('admin.role_dialog.title', { name: person.display_name })}
      text={t('admin.role_dialog.text')}
      submit={t('admin.role_dialog.submit')}
      form={form}
      disabled={form.values.role === String(person.role_id)}
      onClose={onClose}
    >
      <RadioGroup
        label={t('admin.role')}
        hideLabel
        name="role"
        value={form.values.role}
        onChange={(role) => form.set('role', role)}
        options={['1', '3', '2'].map((value) => ({ value, label: t(`admin.role_${value}`), help: t(`admin.role_help_${value}`) }))}
      />
    </FormDialog>
  )
}

export function PasswordDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const form = useForm({
    initial: { password: '' },
    send: async ({ password }) => {
      await api.send(accountCalls.setPassword, { body: { user_id: person.user_id, password }, passingError: true })
      done('admin.password_dialog.done')
    },
  })
  return (
    <FormDialog
      title={t('admin.password_dialog.title', { name: person.display_name })}
      text={t('admin.password_dialog.text')}
      submit={t('admin.password_dialog.submit')}
      form={form}
      onClose={onClose}
    >
      <FormField
        form={form}
        name="password"
        label={t('admin.password_dialog.field')}
        help={t('admin.add_dialog.password_help')}
        type="password"
        autoComplete="new-password"
        maxLength={32}
        required
      />
    </FormDialog>
  )
}

export function ProfileDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const form = useForm({
    initial: { display_name: person.display_name, username: person.username, email: person.e_mail },
    send: async (values) => {
      await api.send(accountCalls.setProfile, { body: { user_id: person.user_id, ...values }, passingError: true })
      done('admin.profile_dialog.done')
    },
  })
  return (
    <FormDialog
      title={t('admin.profile_dialog.title', { name: person.display_name })}
      submit={t('admin.profile_dialog.submit')}
      form={form}
      disabled={!form.changed}
      onClose={onClose}
    >
      <FormField form={form} name="display_name" label={t('admin.add_dialog.name')} autoComplete="off" maxLength={30} required />
      <FormField
        form={form}
        name="username"
        label={t('admin.detail.username')}
        help={t('admin.profile_dialog.username_help')}
        autoComplete="off"
        maxLength={30}
        required
      />
      <FormField form={form} name="email" label={t('admin.email')} type="email" autoComplete="off" maxLength={254} required />
    </FormDialog>
  )
}

export function DeleteDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const form = useForm({
    initial: { content: 'keep' },
    send: async ({ content }) => {
      const body = { user_id: person.user_id, status: 'deleted' as const, remove_all_content: content === 'remove' }
      await api.send(accountCalls.setState, { body, passingError: true })
      done('admin.delete_dialog.done')
    },
  })
  return (
    <FormDialog
      danger
      title={t('admin.delete_dialog.title', { name: person.display_name })}
      text={t('admin.delete_dialog.text')}
      submit={t('admin.delete_dialog.submit')}
      form={form}
      onClose={onClose}
    >
      <RadioGroup
        label={t('admin.delete_dialog.content')}
        name="content"
        value={form.values.content}
        onChange={(content) => form.set('content', content)}
        options={['keep', 'remove'].map((value) => ({ value, label: t(`admin.delete_dialog.${value}`) }))}
      />
    </FormDialog>
  )
}

/** Deletes what a spammer wrote, and suspends them. Moderators have it too, in the profile. */
export function CleanUpDialog(props: PersonDialogProps) {
  const { person, onClose } = props
  const api = useApi()
  const t = useAccountsText()
  const done = useDone(props)
  const form = useForm({
    initial: { reason: '' },
    send: async ({ reason }) => {
      await api.send(accountCalls.cleanUp, { body: { user_id: person.user_id, ...(reason && { reason }) }, passingError: true })
      done('admin.clean_up_dialog.done')
    },
  })
  return (
    <FormDialog
      danger
      title={t('admin.clean_up_dialog.title', { name: person.display_name })}
      text={t('admin.clean_up_dialog.text')}
      submit={t('admin.clean_up_dialog.submit')}
      form={form}
      onClose={onClose}
    >
      <TextArea
        name="reason"
        label={t('admin.clean_up_dialog.reason')}
        help={t('admin.clean_up_dialog.reason_help')}
        rows={2}
        maxLength={500}
        value={form.values.reason}
        error={form.errors.reason}
        onChange={(reason) => form.set('reason', reason)}
      />
    </FormDialog>
  )
}
