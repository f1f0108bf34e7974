import { TextField } from '@stoa/sdk/ui/field'
import { useEffect, useState } from 'react'
import styles from './new-password-field.module.css'
import { useAccountsText } from './use-accounts-text.ts'
import type { Form } from './use-form.ts'

const words = ['very_weak', 'weak', 'fair', 'good', 'strong'] as const

/** A password that somebody chooses, with its strength beside the label. What judges it is large, and loaded when somebody begins to type. */
export function NewPasswordField<V extends { pass: string }>({
  form,
  label,
  own = [],
}: {
  form: Form<V>
  label: string
  /** Address and name: what others would try first. */
  own?: readonly string[]
}) {
  const t = useAccountsText()
  const { pass } = form.values
  const [score, setScore] = useState<number>()
  const context = own.join('\n')
  useEffect(() => {
    let isCurrent = true
    if (pass === '') setScore(undefined)
    else
      import('./strength.ts').then(
        ({ strengthOf }) => isCurrent && setScore(strengthOf(pass, context.split('\n'))),
        () => undefined,
      )
    return () => {
      isCurrent = false
    }
  }, [pass, context])
  return (
    <TextField
      name="pass"
      label={label}
      help={t('field.password_help')}
      type="password"
      autoComplete="new-password"
      required
      value={pass}
      error={form.errors.pass}
      onChange={(value) => form.set('pass', value as V['pass'])}
      aside={
        <span className={styles.strength} data-score={score} role="status">
          {score !== undefined && (
            <>
              <span className={styles.bars} aria-hidden="true">
                {words.slice(1).map((word, index) => (
                  <span key={word} data-on={index < score || undefined} />
                ))}
              </span>
              {t(`field.strength_${words[score]}`)}
            </>
          )}
        </span>
      }
    />
  )
}
