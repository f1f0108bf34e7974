import type { ApiError } from '@stoa/sdk/web'
import { useApi, useSite, useText } from '@stoa/sdk/web'
import type { RefObject } from 'react'
import { useCallback, useRef, useState } from 'react'
import { uploadCalls } from '../../uploads/shared/api.ts'
import { applyEdit, replaceMarker } from './apply-edit.ts'
import { pictureMarkdown } from './edits.ts'
import { pictureProblem } from './picture-problem.ts'

/** A picture on its way, or one that did not arrive. */
export interface PictureUpload {
  id: number
  file: File
  /** 0 to 1. */
  share: number
  error: string
  /** The site would refuse it again. */
  isRefused: boolean
}

const MOST_AT_ONCE = 10

/** Uploads pictures; a marker holds their place in the text until the address is known. What failed is kept to be tried again. */
export function usePictures(field: RefObject<HTMLTextAreaElement | null>) {
  const t = useText('editor')
  const api = useApi()
  const limits = useSite().site_write
  const [uploads, setUploads] = useState<PictureUpload[]>([])
  const counter = useRef(0)

  const change = useCallback((id: number, values: Partial<PictureUpload>) => {
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)))
  }, [])
  const forget = useCallback((id: number) => setUploads((before) => before.filter((upload) => upload.id !== id)), [])

  const send = useCallback(
    async (id: number, file: File) => {
      const marker = `![${t('picture.marker', { name: file.name.replace(/[[\]\n]/g, ' '), id })}]()`
      const target = field.current
      if (!target) return
      // Where nobody has put a caret yet, it stands at the beginning; the picture goes to the end.
      const isUntouched = document.activeElement !== target && target.selectionEnd === 0
      const at = isUntouched ? target.value.length : target.selectionStart
      const lead = at > 0 && target.value[at - 1] !== '\n' ? '\n' : ''
      const insert = `${lead}${marker}\n`
      applyEdit(target, { from: at, to: at, insert, start: at + insert.length, end: at + insert.length })
      try {
        const onProgress = (share: number) => change(id, { share })
        const address = await api.upload(uploadCalls.upload, { source: 'post' }, file, {
          passingError: true,
          ignoreServerError: true,
          onProgress,
        })
        if (field.current) replaceMarker(field.current, marker, pictureMarkdown(file.name, new URL(address, location.href).pathname))
        forget(id)
      } catch (error) {
        if (field.current && !replaceMarker(field.current, `${marker}\n`, '')) replaceMarker(field.current, marker, '')
        const { msg, code } = error as ApiError
        // A file that the server will not have is refused again; every other failure may pass.
        change(id, { error: msg || t('picture.failed'), isRefused: code === 400 || code === 413 })
      }
    },
    [api, change, field, forget, t],
  )

  const add = useCallback(
    (files: Iterable<File>) => {
      const chosen = [...files]
        .slice(0, MOST_AT_ONCE)
        .map((file) => ({ id: ++counter.current, file, share: 0, ...refusal(pictureProblem(file, limits, t)) }))
      setUploads((before) => [...before, ...chosen])
      for (const { id, file, error } of chosen) if (!error) void send(id, file)
    },
    [limits, send, t],
  )

  const again = useCallback(
    (upload: PictureUpload) => {
      change(upload.id, { error: '', share: 0 })
      void send(upload.id, upload.file)
    },
    [change, send],
  )

  return { uploads, add, again, forget }
}

const refusal = (error: string) => ({ error, isRefused: error !== '' })

/** Pictures among what was pasted or dropped. Word and spreadsheets add one of the text that was copied: there it is the text that is wanted. */
export function picturesIn(data: DataTransfer | null): File[] {
  if (data?.getData('text/html') && data.getData('text/plain').trim() !== '') return []
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))
}
