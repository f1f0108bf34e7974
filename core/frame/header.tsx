import { useKernel } from '@stoa/sdk/kernel/web'
import { Icon } from '@stoa/sdk/ui/icon'
import { kernelSlots, Link, Slot } from '@stoa/sdk/web'
import { appearanceOf } from '../../sdk/pages/site-facts.ts'
import styles from './header.module.css'
import { PersonMenu } from './person-menu.tsx'
import { useSettingUp } from './use-setting-up.ts'

export interface HeaderProps {
  /** Name and person only. */
  quiet: boolean
  drawer: boolean
  onDrawer(open: boolean): void
}

/** 56 px, sticky: name or logo, search, write button, what plugins add, person. */
export function Header({ quiet, drawer, onDrawer }: HeaderProps) {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const site = kernel.useSite()
  const home = kernel.usePlace('home') ?? '/'
  const ask = kernel.usePlace('ask')
  const navbar = appearanceOf(site).header
  return (
    <header className={styles.header} data-navbar={navbar}>
      <div className={styles.inner}>
        {!quiet && (
          <button
            type="button"
            className={`${styles.icon} ${styles.drawer}`}
            aria-expanded={drawer}
            aria-controls="navigation"
            onClick={() => onDrawer(!drawer)}
          >
            <Icon name="menu" size={20} />
            <span className="visually-hidden">{t('frame.menu')}</span>
          </button>
        )}
        {useSettingUp() ? (
          <span className={styles.name}>{site.general?.name || 'Stoa'}</span>
        ) : (
          <Link to={home} className={styles.name}>
            {site.branding?.logo ? (
              <picture>
                {site.branding.mobile_logo && <source media="(max-width: 39.99rem)" srcSet={site.branding.mobile_logo} />}
                <img src={site.branding.logo} alt={site.general?.name ?? ''} className={styles.logo} />
              </picture>
            ) : (
              site.general?.name || 'Stoa'
            )}
          </Link>
        )}
        {!quiet && (
          <div className={styles.center}>
            <Slot of={kernelSlots.headerCenter} />
          </div>
        )}
        <div className={styles.actions}>
          {!quiet && ask !== undefined && (
            <Link to={ask} className={styles.write} aria-label={t('frame.write')}>
              <Icon name="pencil" size={16} />
              <span>{t('frame.write')}</span>
            </Link>
          )}
          {!quiet && <Slot of={kernelSlots.headerActions} />}
          <PersonMenu />
        </div>
      </div>
    </header>
  )
}
