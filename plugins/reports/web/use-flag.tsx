import { useLogin, useSession } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'

const FlagDialog = lazy(() => import('./flag-dialog.tsx'))

/** Flags something of somebody else: visitors are asked to log in, members why. The dialog comes when it is first asked for. */
export function useFlag(kind: string, id: string, authorId: string): { isOwn: boolean; ask(): void; dialog: ReactNode } {
  const { person } = useLogin()
  const { askForLogin } = useSession()
  const [isOpen, setOpen] = useState(false)
  const dialog = isOpen && (
    <Suspense fallback={null}>
      <FlagDialog kind={kind} id={id} onClose={() => setOpen(false)} />
    </Suspense>
  )
  return {
    isOwn: person !== null && person?.id === authorId,
    ask: () => (person ? setOpen(true) : askForLogin()),
    dialog: dialog && createPortal(dialog, document.body),
  }
}
