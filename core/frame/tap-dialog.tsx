import { KernelContext } from '@stoa/sdk/kernel/web'
import { IconButton } from '@stoa/sdk/ui/button'
import type { RefObject } from 'react'
import { Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import styles from '../../sdk/ui/dialog.module.css'
import { useCore } from '../kernel/core.ts'
import type { ShownDialog } from '../kernel/dialogs.ts'
import { OwnerContext } from '../kernel/owner.ts'
import { Boundary } from '../router/boundary.tsx'
import { PageWaiting } from './page-waiting.tsx'

/** The native dialog around what a plugin asks. A plugin that fails in here closes it. */
export default function TapDialog({ dialog: { slug, Component, props, api, close } }: { dialog: ShownDialog }) {
  const core = useCore()
  const t = core.kernel.useText('core')
  const box = useRef<HTMLDialogElement>(null)
  const kernel = useMemo(() => ({ ...core.kernel, api }), [core, api])
  // While the dialog still stands in the page: only then does closing it give the focus back.
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const fail = (error: unknown) => {
    core.faults.charge(slug, error)
    close()
  }
  return (
    <dialog
      ref={box}
      className={`${styles.dialog} ${styles.medium}`}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        // The box inside covers the dialog, so what hits the dialog itself is its backdrop.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div className={styles.box}>
        <KernelContext value={kernel}>
          <OwnerContext value={slug}>
            <Boundary name={`A dialog of ${slug}`} onFault={fail}>
              <Suspense fallback={<PageWaiting />}>
                <Component {...props} answer={(answer: unknown) => close(answer)} cancel={() => close()} />
                <Name of={box} />
              </Suspense>
            </Boundary>
          </OwnerContext>
        </KernelContext>
        {/* Last, so that the first thing in the dialog gets the focus. */}
        <IconButton icon="x" size="small" label={t('kit.close')} className={styles.close} onClick={() => close()} />
      </div>
    </dialog>
  )
}

/** The first heading is the dialog's name; it gets the focus to where one answers. */
function Name({ of }: { of: RefObject<HTMLDialogElement | null> }) {
  const id = useId()
  // After the dialog's own ref is there.
  useEffect(() => {
    const dialog = of.current
    const heading = dialog?.querySelector('h1, h2, h3')
    if (!dialog || !heading) return
    heading.id ||= id
    dialog.setAttribute('aria-labelledby', heading.id)
    if (!dialog.querySelector('[autofocus]')) dialog.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [of, id])
  return null
}
