import { ButtonLink } from '@stoa/sdk/ui/button'
import { TextArea } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import { SavedPlace } from '@stoa/sdk/ui/settings-page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { useText, useToast } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'
import styles from './own-code.module.css'
import { OwnCodePreview } from './own-code-preview.tsx'
import type { CodeField } from './use-own-code.ts'
import { useOwnCode } from './use-own-code.ts'

const html: CodeField[] = ['custom_header', 'custom_sidebar', 'custom_footer', 'custom_head']

/** CSS and HTML of the owner, with a preview, and the ways back. */
export default function OwnCodePage() {
  const t = useText('site')
  const toast = useToast()
  const [saves, setSaves] = useState(0)
  const { value, preview, changes, errors, problem, busy, change, discard, save } = useOwnCode(() => {
    toast({ text: t('code.saved'), tone: 'success' })
    setSaves((count) => count + 1)
  })
  const fields = useRef<HTMLDivElement>(null)
  const wasBusy = useRef(false)
  // Whoever saved is led to the first field that was refused.
  useEffect(() => {
    const isOver = wasBusy.current && !busy
    wasBusy.current = busy
    const first = isOver && Object.keys(errors).length > 0 && fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!first) return
    first.focus({ preventScroll: true })
    first.scrollIntoView({ block: 'center' })
  }, [busy, errors])
  if (!value) return <Skeleton lines={12} />
  const field = (name: CodeField) => (
    <TextArea
      key={name}
      label={t(`code.${name}`)}
      help={t(`code.${name}_help`)}
      error={errors[name]}
      value={value[name]}
      maxLength={65_536}
      rows={name === 'custom_css' ? 12 : 5}
      spellCheck={false}
      className={styles.code}
      onChange={(text) => change(name, text)}
    />
  )
  const line = preview?.unbalanced_line ?? 0
  return (
    <>
      <PageTitle text={t('code.purpose')}>{t('code.title')}</PageTitle>
      <SavedPlace page="/admin/css-html" saves={saves} />
      <Notice
        title={t('code.back_title')}
        action={
          <ButtonLink to="/?safe" target="_blank" rel="external">
            {t('code.safe')}
          </ButtonLink>
        }
      >
        {t('code.back_text')}
      </Notice>
      <div className={styles.columns}>
        <div ref={fields} className={styles.fields}>
          {field('custom_css')}
          {html.map(field)}
        </div>
        <Section title={t('code.preview')} text={t('code.preview_text')} className={styles.beside}>
          {line > 0 && <Notice tone="warning">{t('code.unbalanced', { line })}</Notice>}
          {preview && preview.dropped.length > 0 && (
            <Notice tone="warning" title={t('code.dropped')}>
              <p>
                {preview.dropped.map((name) => (
                  <code key={name} className={styles.dropped}>
                    {name}
                  </code>
                ))}
              </p>
              <p>{t('code.dropped_text')}</p>
            </Notice>
          )}
          <OwnCodePreview css={line > 0 ? '' : value.custom_css} areas={preview} />
        </Section>
      </div>
      <SaveBar changes={changes} busy={busy} error={problem} onDiscard={discard} onSave={save} />
    </>
  )
}
