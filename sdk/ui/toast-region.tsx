import type { Toast } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import styles from './toast-region.module.css'

interface ToastRegionProps {
  toasts: readonly (Toast & { id: number | string })[]
  onClose(id: number | string): void
  /** How long one stays; waits while the pointer or the focus is on the region. */
  durationMs?: number
}

/** Short messages over everything else, dialogs included. Render it once, from the start, so that screen readers listen. */
export function ToastRegion({ toasts, onClose, durationMs = 5000 }: ToastRegionProps) {
  const t = useText('core')
  const region = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState(false)
  const newest = toasts.at(-1)?.id
  useEffect(() => {
    // Shown anew, it comes to lie above a dialog that was opened meanwhile.
    if (newest === undefined) return
    region.current?.hidePopover()
    region.current?.showPopover()
  }, [newest])
  return (
    <section
      ref={region}
      popover="manual"
      aria-label={t('kit.messages')}
      className={styles.region}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div aria-live="polite" className={styles.list}>
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} lastsMs={held ? undefined : durationMs} close={() => onClose(toast.id)} />
        ))}
      </div>
    </section>
  )
}

const icons: Record<Toast['tone'], IconName> = { success: 'check-circle', danger: 'alert', info: 'info' }

function OneToast({ toast, lastsMs, close }: { toast: Toast; lastsMs: number | undefined; close(): void }) {
  const t = useText('core')
  const closeNow = useRef(close)
  closeNow.current = close
  useEffect(() => {
    if (lastsMs === undefined) return
    const timer = setTimeout(() => closeNow.current(), lastsMs)
    return () => clearTimeout(timer)
  }, [lastsMs])
  return (
    <div className={classNames(styles.toast, styles[toast.tone])} role={toast.tone === 'danger' ? 'alert' : undefined}>
      <Icon name={icons[toast.tone]} size={18} />
      <p>{toast.text}</p>
      <IconButton icon="x" size="small" label={t('kit.close')} onClick={close} />
    </div>
  )
}
