import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { useText } from '@stoa/sdk/web'
import type { DragEvent } from 'react'
import { useRef, useState } from 'react'
import styles from './plugins.module.css'

export interface PackageUploadProps {
  busy: boolean
  refusal: string | undefined
  onFile: (file: File) => void
}

/** Takes a packed plugin from the admin's machine: chosen, or dropped here. */
export function PackageUpload({ busy, refusal, onFile }: PackageUploadProps) {
  const t = useText('admin')
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drag = (isOver: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(isOver)
  }
  return (
    <div className={styles.upload}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever does not drag has the button */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event)
          const [file] = event.dataTransfer.files
          if (file) onFile(file)
        }}
      >
        <Button icon="upload" busy={busy} onClick={() => input.current?.click()}>
          {t('plugins.install')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".tgz,.tar.gz,application/gzip"
          hidden
          aria-label={t('plugins.install')}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            // The same file can be chosen again after it was mended.
            event.target.value = ''
            if (file) onFile(file)
          }}
        />
        <p className={styles.dropHelp}>
          <span className={styles.dropHint}>{t('plugins.install_drop')} </span>
          {t('plugins.install_help')}
        </p>
      </div>
      {refusal && (
        <Notice tone="danger" live title={t('plugins.install_refused')}>
          <p>{refusal}</p>
          <p>{t('plugins.install_unchanged')}</p>
        </Notice>
      )}
    </div>
  )
}
