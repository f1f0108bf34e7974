import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

interface DialogProps {
  open: boolean
  /** Asked for by Esc, the cross or a press beside the dialog, which does nothing once something was typed in it. */
  onClose(): void
  title: ReactNode
  children?: ReactNode
  /** Buttons, the main one last. */
  actions?: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** False keeps it open against Esc and presses beside it, while something is being sent. */
  closable?: boolean
}

const TYPED = 'textarea, input:is([type=text], [type=url], [type=email], [type=search], :not([type]))'

/** Something was typed: a press that missed must not throw it away. */
const isWrittenIn = (dialog: HTMLElement): boolean =>
  [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TYPED)].some(({ value }) => value !== '')

/** A native modal dialog: the rest of the page is inert, and the focus returns to where it was. Its content lives while it is open. */
export function Dialog({ open, onClose, title, children, actions, size = 'medium', closable = true }: DialogProps) {
  const t = useText('core')
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // While the dialog still stands in the page: only then does closing it give the focus back.
  useLayoutEffect(() => {
    const dialog = box.current
    if (!open || !dialog) return
    dialog.showModal()
    return () => dialog.close()
  }, [open])
  return (
    <dialog
      ref={box}
      className={classNames(styles.dialog, styles[size])}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (closable) onClose()
      }}
      onPointerDown={(event) => {
        // The box inside covers the dialog, so what hits the dialog itself is its backdrop.
        if (closable && event.target === event.currentTarget && !isWrittenIn(event.currentTarget)) onClose()
      }}
    >
      {open && (
        <div className={styles.box}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children !== undefined && children !== null && <div className={styles.body}>{children}</div>}
          {actions && <div className={styles.actions}>{actions}</div>}
          {/* Last, so that the first thing in the dialog gets the focus. */}
          {closable && <IconButton icon="x" size="small" label={t('kit.close')} className={styles.close} onClick={onClose} />}
        </div>
      )}
    </dialog>
  )
}

interface ConfirmDialogProps {
  open: boolean
  title: ReactNode
  /** What will happen, and what cannot be undone. */
  text?: ReactNode
  /** Says what is done: `Delete`, not `OK`. */
  confirm?: string
  /** Null leaves only the confirming button. */
  cancel?: string | null
  tone?: 'danger' | 'normal'
  busy?: boolean
  onConfirm(): void
  onCancel(): void
}

/** A question with one way on and one way back. */
export function ConfirmDialog({
  open,
  title,
  text,
  confirm,
  cancel,
  tone = 'normal',
  busy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const t = useText('core')
  return (
    <Dialog
      open={open}
      title={title}
      size="small"
      closable={!busy}
      onClose={onCancel}
      actions={
        <>
          {cancel !== null && (
            <Button onClick={onCancel} disabled={busy}>
              {cancel ?? t('kit.cancel')}
            </Button>
          )}
          <Button variant={tone === 'danger' ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm ?? t('kit.ok')}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
}
