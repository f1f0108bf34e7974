import { useKernel } from '@stoa/sdk/kernel/web'
import { Link } from '@stoa/sdk/web'
import { schemeAtom, useShared } from '../kernel/core.ts'
import { useHydrated } from '../router/hydrated.ts'
import styles from './footer.module.css'
import { useCommon } from './use-common.ts'
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
  const name = site.general?.name || 'Stoa'
  const inside = useCommon(navigation, [name, links.length, language, scheme, hydrated].join(), () => (
    <div className={styles.inner}>
      <span>{name}</span>
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
          id="footer-language"
          label={t('footer.language')}
          value={language}
          disabled={!hydrated}
          onChange={(value) => void kernel.setLanguage(value)}
          options={languages.map(({ code, label }) => [code, label])}
        />
        <Choice
          id="footer-scheme"
          label={t('footer.scheme')}
          value={scheme}
          disabled={!hydrated}
          onChange={kernel.setScheme}
          options={schemes.map((name) => [name, t(`footer.scheme_${name}`)])}
        />
      </div>
    </div>
  ))
  return <footer className={styles.footer} {...inside} />
}

interface ChoiceProps {
  /** Of its field in the page. */
  id: string
  label: string
  value: string
  /** Until the page can react. */
  disabled: boolean
  options: [value: string, label: string][]
  onChange(value: string): void
}

function Choice({ id, label, value, disabled, options, onChange }: ChoiceProps) {
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
