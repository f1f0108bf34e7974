import { Badge } from '@stoa/sdk/ui/badge'
import { RadioGroup, Select, TextField } from '@stoa/sdk/ui/field'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import { SavedPlace } from '@stoa/sdk/ui/settings-page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { ThemePreview } from './theme-preview.tsx'
import styles from './themes-page.module.css'
import { useThemes } from './use-themes.ts'

const COLOR = /^#[0-9a-f]{6}$/i
const schemes = ['system', 'light', 'dark'] as const

/** Looks of the site: which theme, in which colours, and how the header stands. */
export default function ThemesPage() {
  const t = useText('site')
  const toast = useToast()
  const [saves, setSaves] = useState(0)
  const { themes, value, changes, errors, problem, busy, change, discard, save } = useThemes(() => {
    toast({ text: t('themes.saved'), tone: 'success' })
    setSaves((count) => count + 1)
  })
  const [dark, setDark] = useState(false)
  useEffect(() => setDark(document.documentElement.dataset.scheme === 'dark'), [])
  if (!themes || !value) return <Skeleton lines={12} />
  const { theme, color_scheme, config } = value
  const color = COLOR.test(config.primary_color) ? config.primary_color : '#0033ff'
  return (
    <>
      <PageTitle text={t('themes.purpose')}>{t('themes.title')}</PageTitle>
      <SavedPlace page="/admin/themes" saves={saves} />
      {/* What is chosen while it saves would be lost to what was saved. */}
      <fieldset className={styles.form} disabled={busy}>
        <Section title={t('themes.choose')}>
          <div className={styles.themes} role="radiogroup" aria-label={t('themes.choose')}>
            {themes.map((one) => (
              <label key={one.value} className={styles.theme}>
                <span className={styles.about}>
                  <input type="radio" name="theme" checked={one.value === theme} onChange={() => change({ theme: one.value })} />
                  <span className={styles.name}>{one.name}</span>
                  {one.is_on && <Badge tone="success">{t('themes.is_on')}</Badge>}
                </span>
                <ThemePreview css={one.css} color={color} header={config.navbar_style} scheme={dark ? 'dark' : 'light'} />
                <span className={styles.text}>{one.description}</span>
              </label>
            ))}
          </div>
        </Section>
        <Section
          title={t('themes.settings', { name: themes.find((one) => one.value === theme)?.name ?? theme })}
          text={t('themes.settings_text')}
        >
          <div className={styles.fields}>
            <div className={styles.color}>
              <TextField
                label={t('themes.color')}
                help={t('themes.color_help')}
                error={errors.theme_config ?? (COLOR.test(config.primary_color) ? undefined : t('themes.color_wrong'))}
                value={config.primary_color}
                onChange={(primary_color) => change({ config: { ...config, primary_color } })}
              />
              <input
                type="color"
                className={styles.picker}
                aria-label={t('themes.color_pick')}
                value={color}
                onChange={(event) => change({ config: { ...config, primary_color: event.target.value } })}
              />
            </div>
            <RadioGroup
              label={t('themes.header')}
              value={config.navbar_style}
              onChange={(navbar_style) => change({ config: { ...config, navbar_style } })}
              options={['colored', 'light'].map((one) => ({ value: one, label: t(`themes.header_${one}`) }))}
            />
            <Select
              label={t('themes.scheme')}
              help={t('themes.scheme_help')}
              value={color_scheme || 'system'}
              onChange={(scheme) => change({ color_scheme: scheme })}
              options={schemes.map((one) => ({ value: one, label: t(`themes.scheme_${one}`) }))}
            />
          </div>
        </Section>
      </fieldset>
      <SaveBar changes={changes} busy={busy} error={problem} onDiscard={discard} onSave={save} />
    </>
  )
}
