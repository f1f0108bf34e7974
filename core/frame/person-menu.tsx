import { useKernel } from '@stoa/sdk/kernel/web'
import { Avatar } from '@stoa/sdk/ui/avatar'
import type { IconName } from '@stoa/sdk/ui/icon'
import type { MenuItem } from '@stoa/sdk/ui/menu'
import { Menu } from '@stoa/sdk/ui/menu'
import { kernelSlots, Link, Slot, useLocation } from '@stoa/sdk/web'
import { isOpenToAll } from '../../sdk/pages/site-facts.ts'
import styles from './header.module.css'
import { useSettingUp } from './use-setting-up.ts'

/** Log in and sign up for visitors; picture and menu for members. Its space is kept while nobody knows which. */
export function PersonMenu() {
  const kernel = useKernel()
  const login = kernel.useLogin()
  return (
    <div className={styles.person} data-known={login.known || undefined}>
      {login.person ? <Member /> : <Visitor />}
    </div>
  )
}

function Visitor() {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const site = kernel.useSite()
  const login = kernel.usePlace('login')
  const register = kernel.usePlace('register')
  const { pathname } = useLocation()
  if (useSettingUp()) return null
  return (
    <>
      {login !== undefined && pathname !== login && (
        <Link to={login} className={styles.link} onClick={() => kernel.askForLogin()}>
          {t('person.login')}
        </Link>
      )}
      {register !== undefined && isOpenToAll(site) && pathname !== register && (
        <Link to={register} className={`${styles.link} ${styles.register}`}>
          {t('person.register')}
        </Link>
      )}
    </>
  )
}

function Member() {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const { person } = kernel.useLogin()
  const items = kernel.useNavigation('person')
  const [admin] = kernel.useNavigation('admin')
  const name = person?.display_name || person?.username || ''
  const entries: MenuItem[] = items.map(({ label, icon, path }) => ({ label, to: path, ...(icon ? { icon: icon as IconName } : {}) }))
  if (admin) entries.push('separator', { label: t('person.admin'), icon: 'settings', to: admin.path })
  return (
    <>
      <Slot of={kernelSlots.headerPerson} />
      <Menu label={t('person.menu', { name })} items={entries} className={styles.menu as string}>
        <Avatar name={name} src={pictureOf(person?.avatar)} size={28} />
      </Menu>
    </>
  )
}

function pictureOf(avatar: unknown): string {
  if (typeof avatar === 'string') return avatar
  const { custom, gravatar } = (avatar ?? {}) as { custom?: string; gravatar?: string }
  return custom || gravatar || ''
}
