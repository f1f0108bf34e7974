import type { BodyOf } from '@stoa/sdk'
import { RadioGroup, TextField } from '@stoa/sdk/ui/field'
import { useText } from '@stoa/sdk/web'
import type { installCalls } from '../shared/api.ts'

export type DatabaseForm = Required<Omit<BodyOf<typeof installCalls.init>, 'db_file'>>
export const emptyDatabase: DatabaseForm = {
  db_type: 'sqlite3',
  db_host: '127.0.0.1:5432',
  db_username: '',
  db_password: '',
  db_name: '',
}

/** SQLite asks nothing; PostgreSQL asks where it is and who we are. */
export function DatabaseFields({
  value,
  onChange,
  errors,
}: {
  value: DatabaseForm
  onChange: (value: DatabaseForm) => void
  errors: Record<string, string>
}) {
  const t = useText('install')
  const field = (name: keyof DatabaseForm, label: string, type = 'text') => (
    <TextField
      label={label}
      name={name}
      type={type}
      autoComplete="off"
      required
      value={value[name]}
      error={errors[name]}
      onChange={(text) => onChange({ ...value, [name]: text })}
    />
  )
  return (
    <>
      <RadioGroup
        label={t('database.type')}
        value={value.db_type}
        onChange={(db_type) => onChange({ ...value, db_type })}
        options={[
          { value: 'sqlite3', label: t('database.sqlite3') },
          { value: 'postgres', label: t('database.postgres') },
        ]}
      />
      {value.db_type === 'postgres' && (
        <>
          {field('db_host', t('database.host'))}
          {field('db_username', t('database.user'))}
          {field('db_password', t('database.password'), 'password')}
          {field('db_name', t('database.name'))}
        </>
      )}
    </>
  )
}
