import { Time } from '@stoa/sdk/ui/time'
import { useText } from '@stoa/sdk/web'
import type { SwitchDeed } from './types.ts'

/** What was switched, when, by whom and why, in one line. */
export function SwitchLine({ deed: { at, deed, version, cause, way, by, name }, isNamed }: { deed: SwitchDeed; isNamed?: boolean }) {
  const t = useText('admin')
  const what = deed === 'version' && version === '' ? 'bundled' : deed
  return (
    <>
      <Time at={at} /> · {isNamed && name !== '' && <strong>{name}: </strong>}
      {t(`plugins.deed.${what}`, { version })}
      {cause !== '' && t('plugins.deed.along', { name: cause })} ·{' '}
      {t(`plugins.by.${way || 'site'}`, { name: by || t('plugins.by.somebody') })}
    </>
  )
}
