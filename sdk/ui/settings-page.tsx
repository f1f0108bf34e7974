import { kernelSlots, Slot, useSession, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty.tsx'
import type { FormValue } from './form.tsx'
import { PageTitle } from './page.tsx'
import type { SettingField } from './setting-field.ts'
import styles from './settings-form.module.css'
import { SettingsForm } from './settings-form.tsx'
import { Skeleton } from './skeleton.tsx'

export type { SettingControl, SettingField } from './setting-field.ts'

interface SettingsPageProps<V extends object> {
  title: string
  /** One sentence of what the page is for. */
  text?: ReactNode
  /** Address of the page, which the record of who saved it knows it by. */
  page: string
  /** What is stored, by the names of the fields. Keep it the same function from one drawing to the next. */
  load(): Promise<V>
  save(values: V): Promise<unknown>
  fields(values: V): readonly SettingField[]
  onUpload?(field: SettingField, file: File): Promise<string>
  /** Above the form. */
  before?: ReactNode
  /** Under the fields, with what they hold at the moment. */
  children?(values: V): ReactNode
}

/** Where is said who saved a page of settings last. Its line is kept free until that is known, so that nothing below it moves. */
export function SavedPlace(props: { page: string; saves: number }) {
  return (
    <div className={styles.saved}>
      <Slot of={kernelSlots.settingsPage} props={props} />
    </div>
  )
}

/** A whole page of settings: heading, who saved it last, form. */
export function SettingsPage<V extends object>({
  title,
  text,
  page,
  load,
  save,
  fields,
  onUpload,
  before,
  children,
}: SettingsPageProps<V>) {
  const t = useText('core')
  const { refreshSite } = useSession()
  const [saved, setSaved] = useState<V>()
  const [values, setValues] = useState<V>()
  const [saves, setSaves] = useState(0)
  const [hasFailed, setFailed] = useState(false)

  const begin = useCallback(async () => {
    setFailed(false)
    try {
      const loaded = await load()
      setSaved(loaded)
      setValues(loaded)
    } catch {
      setFailed(true)
    }
  }, [load])
  useEffect(() => void begin(), [begin])

  return (
    <>
      <PageTitle text={text}>{title}</PageTitle>
      {hasFailed && (
        <EmptyState
          icon="alert"
          title={t('kit.settings.not_loaded')}
          action={<Button onClick={() => void begin()}>{t('kit.settings.again')}</Button>}
        />
      )}
      {!hasFailed && (!saved || !values) && <Skeleton lines={10} />}
      {!hasFailed && saved && values && (
        <>
          <SavedPlace page={page} saves={saves} />
          {before}
          <SettingsForm
            fields={fields(values)}
            saved={saved as FormValue}
            onChange={(next) => setValues(next as V)}
            onSave={async (next) => {
              await save(next as V)
              // A failure here does not make the saving fail.
              await Promise.all([begin(), refreshSite().catch(() => {})])
              setSaves((count) => count + 1)
            }}
            onUpload={onUpload}
          >
            {children?.(values)}
          </SettingsForm>
        </>
      )}
    </>
  )
}
