import { IconButton } from '@stoa/sdk/ui/button'
import { useText } from '@stoa/sdk/web'
import { lazy, Suspense, useState } from 'react'
import styles from './editor.module.css'

const Content = lazy(() => import('./format-help-dialog.tsx'))

/** Says what can be written; what it says is fetched when somebody asks. */
export function FormatHelp() {
  const t = useText('editor')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.help}>
      <IconButton icon="help" label={t('help.open')} onClick={() => setOpen(true)} />
      <Suspense fallback={null}>{isOpen && <Content onClose={() => setOpen(false)} />}</Suspense>
    </div>
  )
}
