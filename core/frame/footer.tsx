import { useKernel } from '@stoa/sdk/kernel/web'
import { Link } from '@stoa/sdk/web'
import { useId } from 'react'
import { schemeAtom, useShared } from '../kernel/core.ts'
import { useHydrated } from '../router/hydrated.ts'
import styles from './footer.module.css'
import { useSettingUp } from './use-setting-up.ts'

const schemes = ['system', 'light', 'dark']

/** Links of plugins, and the two choices that need no account: language and colour scheme. */
export function Footer() {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const navigation = kernel.useNavigation('footer')
  const links = useSettingUp() ? [] : navigation
  const site = kernel.useSite()
  const languages = kernel.useLanguages()
  const language = kernel.useLanguage()
  const scheme = useShared(schemeAtom)
  const hydrated = useHydrated()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <span>{site.general?.name || 'Stoa'}</span>
        {links.length > 0 && (
          <nav aria-label={t('frame.footer')} className={styles.links}>
            {links.map((item) => (
              <Link key={item.path} to={item.path}>
                {item.label}
              </Link>
            ))}
          </nav>
        )}
        <div className={styles.choices}>
          <Choice
            label={t('footer.language')}
            value={language}
            disabled={!hydrated}
            onChange={(value) => void kernel.setLanguage(value)}
            options={languages.map(({ code, label }) => [code, label])}
          />
          <Choice
            label={t('footer.scheme')}
            value={scheme}
            disabled={!hydrated}
            onChange={kernel.setScheme}
            options={schemes.map((name) => [name, t(`footer.scheme_${name}`)])}
          />
        </div>
      </div>
    </footer>
  )
}

interface ChoiceProps {
  label: string
  value: string
  /** Until the page can react. */
  disabled: boolean
  options: [value: string, label: string][]
  onChange(value: string): void
}

function Choice({ label, value, disabled, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <span className={styles.choice}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
        {options.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
