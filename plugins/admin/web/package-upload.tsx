import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { useText } from '@stoa/sdk/web'
import { useRef } from 'react'
import styles from './plugins.module.css'

export interface PackageUploadProps {
  busy: boolean
  refusal: string | undefined
  onFile: (file: File) => void
}

/** Takes a packed plugin from the admin's machine. */
export function PackageUpload({ busy, refusal, onFile }: PackageUploadProps) {
  const t = useText('admin')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.upload}>
      <div className={styles.line}>
        <Button icon="plug" busy={busy} onClick={() => input.current?.click()}>
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
        <span className={styles.facts}>{t('plugins.install_help')}</span>
      </div>
      {refusal && (
        <Notice tone="danger" live title={t('plugins.install_refused')}>
          {refusal}
        </Notice>
      )}
    </div>
  )
}
