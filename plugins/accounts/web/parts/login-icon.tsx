import styles from './login-icon.module.css'

/** Picture of a login at another site, beside its name. On white, which the pictures of others are drawn for. */
export function LoginIcon({ address }: { address: string }) {
  return address === '' ? null : <img className={styles.icon} src={address} alt="" width={20} height={20} />
}
