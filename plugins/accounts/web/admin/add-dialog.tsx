import type { ReplyOf } from '@stoa/sdk'
import { RadioGroup, TextArea } from '@stoa/sdk/ui/field'
import { Icon } from '@stoa/sdk/ui/icon'
import { useApi, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { FormField } from '../parts/form-field.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import styles from './add-dialog.module.css'
import { FormDialog } from './form-dialog.tsx'

type Report = ReplyOf<typeof accountCalls.checkPeople>

interface AddDialogProps {
  onClose(): void
  onDone(): void
}

/** Adds one person, or many from lines of text that are checked first. */
export function AddDialog(props: AddDialogProps) {
  const [way, setWay] = useState('one')
  return way === 'one' ? <AddOne {...props} way={way} onWay={setWay} /> : <AddMany {...props} way={way} onWay={setWay} />
}

/** As in a CSV file. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

interface WayProps extends AddDialogProps {
  way: string
  onWay(way: string): void
}

function useAdded({ onClose, onDone }: AddDialogProps) {
  const t = useAccountsText()
  const toast = useToast()
  return (count: number) => {
    toast({ text: t('admin.add_dialog.done', { count }), tone: 'success' })
    onClose()
    onDone()
  }
}

function AddOne(props: WayProps) {
  const api = useApi()
  const t = useAccountsText()
  const added = useAdded(props)
  const form = useForm<{ name: string; email: string; password: string; users?: string }>({
    initial: { name: '', email: '', password: '' },
    send: async ({ name, email, password }) => {
      await api.send(accountCalls.addPeople, { body: { users: [name, email, password].map(quoted).join(',') }, passingError: true })
      added(1)
    },
  })
  return (
    <FormDialog
      title={t('admin.add_dialog.title')}
      submit={t('admin.add_dialog.submit')}
      form={{ ...form, failure: form.errors.users ?? form.failure }}
      onClose={props.onClose}
    >
      <Ways {...props} />
      <FormField form={form} name="name" label={t('admin.add_dialog.name')} autoComplete="off" maxLength={30} required />
      <FormField form={form} name="email" label={t('admin.add_dialog.email')} type="email" autoComplete="off" maxLength={254} required />
      <FormField
        form={form}
        name="password"
        label={t('admin.add_dialog.password')}
        help={t('admin.add_dialog.password_help')}
        type="password"
        autoComplete="new-password"
        maxLength={32}
        required
      />
    </FormDialog>
  )
}

function AddMany(props: WayProps) {
  const api = useApi()
  const t = useAccountsText()
  const added = useAdded(props)
  const [report, setReport] = useState<Report>()
  const wrong = report?.filter(({ problem }) => problem !== '').length ?? 0
  const isReady = report !== undefined && wrong === 0
  const form = useForm({
    initial: { users: '' },
    send: async ({ users }) => {
      if (!isReady) {
        setReport(await api.send(accountCalls.checkPeople, { body: { users }, passingError: true }))
        return
      }
      await api.send(accountCalls.addPeople, { body: { users }, passingError: true })
      added(report.length)
    },
  })
  return (
    <FormDialog
      title={t('admin.add_dialog.title')}
      submit={isReady ? t('admin.add_dialog.add_count', { count: report.length }) : t('admin.add_dialog.check')}
      form={form}
      onClose={props.onClose}
    >
      <Ways {...props} />
      <TextArea
        name="users"
        label={t('admin.add_dialog.lines')}
        help={t('admin.add_dialog.lines_help')}
        rows={6}
        dir="ltr"
        spellCheck={false}
        value={form.values.users}
        error={form.errors.users}
        onChange={(users) => {
          setReport(undefined)
          form.set('users', users)
        }}
      />
      <div aria-live="polite">{report && <Lines report={report} wrong={wrong} />}</div>
    </FormDialog>
  )
}

/** What will happen with each line; wrong ones first. */
function Lines({ report, wrong }: { report: Report; wrong: number }) {
  const t = useAccountsText()
  const rows = [...report].sort((a, b) => Number(a.problem === '') - Number(b.problem === ''))
  return (
    <>
      <p>{t(wrong > 0 ? 'admin.add_dialog.wrong' : 'admin.add_dialog.fine', { count: wrong > 0 ? wrong : report.length })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard */}
      <section className={styles.report} aria-label={t('admin.add_dialog.report')} tabIndex={0}>
        <ul>
          {rows.slice(0, 200).map(({ line, name, e_mail, problem }) => (
            <li key={line} className={problem ? styles.wrong : undefined}>
              <Icon name={problem ? 'alert' : 'check'} size={16} />
              <span>
                {problem || (
                  <>
                    {name} · {e_mail}
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Ways({ way, onWay }: WayProps) {
  const t = useAccountsText()
  return (
    <RadioGroup
      inline
      hideLabel
      label={t('admin.add_dialog.title')}
      value={way}
      onChange={onWay}
      options={['one', 'many'].map((value) => ({ value, label: t(`admin.add_dialog.${value}`) }))}
    />
  )
}
