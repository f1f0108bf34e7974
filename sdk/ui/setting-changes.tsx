import { useText } from '@stoa/sdk/web'
import type { FormValue } from './form.tsx'
import type { SettingField } from './setting-field.ts'
import styles from './settings-form.module.css'

interface SettingChangesProps {
  fields: readonly SettingField[]
  before: FormValue
  after: FormValue
}

/** Longer values are cut: the field above has the whole. */
const LONGEST = 80

/** What saving would change: the name of each field with its value before and after. */
export function SettingChanges({ fields, before, after }: SettingChangesProps) {
  const t = useText('core')
  const say = (field: SettingField, value: unknown): string => {
    const text = spoken(field, value, { on: t('kit.settings.on'), off: t('kit.settings.off') })
    return text === '' ? t('kit.settings.empty') : text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  }
  return (
    <dl className={styles.changes}>
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{'ui_options' in field && field.ui_options?.label ? field.ui_options.label : field.title}</dt>
          {isSecret(field) ? (
            <dd>{t('kit.settings.secret_changed')}</dd>
          ) : (
            <dd dir="auto">
              <del>{say(field, before[field.name])}</del> <span aria-hidden="true">→</span> <ins>{say(field, after[field.name])}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const isSecret = (field: SettingField): boolean => 'secret' in field && field.secret === true

function spoken(field: SettingField, value: unknown, words: { on: string; off: string }): string {
  if (field.type === 'own' && field.say) return field.say(value)
  if (typeof value === 'boolean') return value ? words.on : words.off
  const options: readonly { value: string | number; label: string }[] = ('options' in field && field.options) || []
  const labelOf = (one: unknown) => options.find((option) => String(option.value) === String(one))?.label ?? textOf(one)
  return Array.isArray(value) ? value.map(labelOf).join(', ') : labelOf(value)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  const { display_name, slug_name } = value as { display_name?: string; slug_name?: string }
  return display_name ?? slug_name ?? JSON.stringify(value)
}
