import { useText } from '@stoa/sdk/web'
import { useEffect, useId, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Button } from './button.tsx'
import styles from './crop-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type Area = { x: number; y: number; width: number; height: number }

interface CropDialogProps {
  /** The picture that somebody chose. */
  picture: File
  /** Width by height of what is cut out; default 1, a square. */
  aspect?: number
  /** Shows what a round frame will hide. */
  round?: boolean
  /** Width in pixels that is not exceeded; default 512. */
  maxWidth?: number
  /** A JPEG of a JPEG, a PNG of anything else. */
  onDone(picture: File): void
  onCancel(): void
}

const MOST_ZOOM = 4
/** Pixels that a press of an arrow key moves the picture; a fifth of it with Shift. */
const KEY_STEP = 10

/**
 * Lets somebody choose the part of a picture that is used: by dragging, with two fingers, or with arrow keys and a slider. Load it when a picture
 * was chosen: `lazy(() => import('@stoa/sdk/ui/crop-dialog'))`.
 */
export function CropDialog({ picture, aspect = 1, round = false, maxWidth = 512, onDone, onCancel }: CropDialogProps) {
  const t = useText('core')
  const zoomId = useId()
  const [address, setAddress] = useState('')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [isUnreadable, setUnreadable] = useState(false)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    const own = URL.createObjectURL(picture)
    setAddress(own)
    return () => URL.revokeObjectURL(own)
  }, [picture])

  async function use() {
    if (!area) return
    setBusy(true)
    try {
      onDone(await cutOut(picture, address, area, Math.min(maxWidth, Math.round(area.width)), aspect))
    } catch {
      setUnreadable(true)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      title={t('kit.crop.title')}
      closable={!busy}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button variant="primary" busy={busy} disabled={!area || isUnreadable} onClick={() => void use()}>
            {t('kit.crop.use')}
          </Button>
        </>
      }
    >
      {isUnreadable ? (
        <Notice tone="danger" live>
          {t('kit.crop.unreadable')}
        </Notice>
      ) : (
        <div className={styles.crop}>
          <div className={styles.stage}>
            {address && (
              <Cropper
                image={address}
                aspect={aspect}
                cropShape={round ? 'round' : 'rect'}
                showGrid={false}
                crop={crop}
                zoom={zoom}
                maxZoom={MOST_ZOOM}
                keyboardStep={KEY_STEP}
                disableAutomaticStylesInjection
                classes={{ cropAreaClassName: styles.area as string }}
                mediaProps={{ alt: '', onError: () => setUnreadable(true) }}
                cropperProps={{ role: 'group', 'aria-label': t('kit.crop.area') }}
                onCropChange={setCrop}
                onZoomChange={setZoom}
                // Also while a key is held down: whoever then presses Enter means what they see.
                onCropAreaChange={(_, pixels) => setArea(pixels)}
              />
            )}
          </div>
          <label htmlFor={zoomId}>{t('kit.crop.zoom')}</label>
          <input
            id={zoomId}
            type="range"
            className={styles.zoom}
            min={1}
            max={MOST_ZOOM}
            step={0.05}
            value={zoom}
            aria-valuetext={`${Math.round(zoom * 100)}%`}
            onChange={(event) => setZoom(Number(event.target.value))}
          />
          <p className={styles.help}>{t('kit.crop.help')}</p>
        </div>
      )}
    </Dialog>
  )
}

/** @param area in pixels of the picture @throws when the browser cannot decode or encode it */
async function cutOut(picture: File, address: string, area: Area, width: number, aspect: number): Promise<File> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, width)
  canvas.height = Math.max(1, Math.round(width / aspect))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('No canvas')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height)
  const type = picture.type === 'image/jpeg' ? picture.type : 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('Not encoded')
  const name = picture.name.replace(/\.[^.]*$/, '') || 'picture'
  return new File([blob], `${name}.${blob.type === 'image/jpeg' ? 'jpg' : 'png'}`, { type: blob.type })
}
