import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { Checkbox } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { useText } from '@stoa/sdk/web'
import { useState } from 'react'
import styles from './plugins.module.css'
import type { SetPlan } from './types.ts'

interface PlanDialogProps {
  plan: SetPlan
  onClose(): void
  onApply(withoutMissing: boolean): void
}

/** What a file of a set would change, before anything is changed. */
export default function PlanDialog({ plan, onClose, onApply }: PlanDialogProps) {
  const t = useText('admin')
  const [withoutMissing, setWithoutMissing] = useState(false)
  const absent = plan.missing.filter(({ enabled }) => enabled)
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
  const parts: [key: string, lines: readonly string[]][] = [
    ['on', names(plan.on)],
    ['off', names(plan.off)],
    ['also_on', names(plan.also_on)],
    ['also_off', names(plan.also_off)],
    [
      'settings',
      plan.settings.flatMap(({ name, fields }) =>
        fields.map(({ title, from, to }) => t('set.setting', { name, title, from: shown(from, t), to: shown(to, t) })),
      ),
    ],
    ['other_versions', plan.other_versions.map(({ name, asked, here }) => t('set.version', { name, asked, here }))],
    ['missing', plan.missing.map(({ slug_name, version }) => `${slug_name} ${version}`)],
  ]
  const changes = plan.on.length + plan.off.length + plan.also_on.length + plan.also_off.length + plan.settings.length
  const mayGo = changes > 0 && plan.problems.length === 0 && (absent.length === 0 || withoutMissing)
  return (
    <Dialog
      open
      size="large"
      title={t('set.plan')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('plugins.leave_it')}</Button>
          <Button variant="primary" disabled={!mayGo} onClick={() => onApply(withoutMissing)}>
            {t('set.go')}
          </Button>
        </>
      }
    >
      <div className={styles.plan}>
        {plan.problems.length > 0 && (
          <Notice tone="danger" title={t('set.problems')}>
            {plan.problems.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </Notice>
        )}
        {plan.notes.length > 0 && (
          <Notice tone="warning">
            {plan.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Notice>
        )}
        {changes === 0 && plan.problems.length === 0 && <p>{t('set.nothing')}</p>}
        {parts.map(
          ([key, lines]) =>
            lines.length > 0 && (
              <section key={key}>
                <h3>
                  {t(`set.parts.${key}`)} ({lines.length})
                </h3>
                <ul>
                  {lines.map((line, index) => (
                    <li key={index}>{line}</li>
                  ))}
                </ul>
              </section>
            ),
        )}
        {absent.length > 0 && (
          <Checkbox label={t('set.without_missing', { count: absent.length })} checked={withoutMissing} onChange={setWithoutMissing} />
        )}
      </div>
    </Dialog>
  )
}

/** A value as a reader sees it in a form. */
function shown(value: unknown, t: (key: string) => string): string {
  if (typeof value === 'boolean') return t(value ? 'set.yes' : 'set.no')
  if (value === null || value === '') return t('set.empty')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
