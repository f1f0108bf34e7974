import { Button, IconButton } from '@stoa/sdk/ui/button'
import { Icon } from '@stoa/sdk/ui/icon'
import { Progress } from '@stoa/sdk/ui/progress'
import { useText } from '@stoa/sdk/web'
import styles from './editor.module.css'
import type { PictureUpload } from './use-pictures.ts'

interface UploadListProps {
  uploads: readonly PictureUpload[]
  onAgain(upload: PictureUpload): void
  /** In place of one that the site refuses. */
  onOther(upload: PictureUpload): void
  onForget(id: number): void
}

/** Pictures on their way with their progress, and those that failed with the reason and a way on. */
export function UploadList({ uploads, onAgain, onOther, onForget }: UploadListProps) {
  const t = useText('editor')
  return (
    <ul className={styles.uploads} aria-live="polite">
      {uploads.map((upload) => (
        <li key={upload.id}>
          {upload.error ? (
            <div className={styles.failed}>
              <Icon name="alert" />
              <span>
                <b>{upload.file.name}</b> {upload.error}
              </span>
              <Button size="small" onClick={() => (upload.isRefused ? onOther(upload) : onAgain(upload))}>
                {t(upload.isRefused ? 'picture.other' : 'picture.again')}
              </Button>
              <IconButton
                size="small"
                icon="x"
                label={t('picture.forget', { name: upload.file.name })}
                onClick={() => onForget(upload.id)}
              />
            </div>
          ) : (
            <Progress label={upload.file.name} value={upload.share} />
          )}
        </li>
      ))}
    </ul>
  )
}
