import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { PASSKEY } from '../shared/api.ts'
import { sign } from './ask-browser.ts'
import styles from './passkeys.module.css'
import { usePress } from './use-press.ts'

/** Proves by a passkey who one is. What the server says is shown by the page. */
export default function ProofButton({ method, label, begin, prove }: PropsOf<typeof accountSlots.proof>) {
  const { busy, failure, press } = usePress()
  if (method !== PASSKEY) return null
  const start = async () => {
    const shown = await begin().catch(() => undefined)
    if (shown !== undefined) await prove(await sign(shown))
  }
  return (
    <div className={styles.scripted}>
      <Button icon="key" wide busy={busy} onClick={() => press(start)}>
        {label}
      </Button>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </div>
  )
}
