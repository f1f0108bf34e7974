import { Notice } from '@stoa/sdk/ui/notice'
import { Prose } from '@stoa/sdk/ui/prose'
import { useApi, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import styles from './editor.module.css'

const PAUSE_MS = 400

type Shown = { html: string; failed: boolean }

/** What the text will look like, a moment after typing stops. Where it cannot be had, the last one stays and says so. */
export function Preview({ text, id, label, isPanel }: { text: string; id: string; label: string; isPanel: boolean }) {
  const t = useText('editor')
  const api = useApi()
  const [{ html, failed }, show] = useState<Shown>({ html: '', failed: false })
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) {
      show({ html: '', failed: false })
      return undefined
    }
    const request = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const rendered = await api.send(siteCalls.render, {
          body: { content: text },
          passingError: true,
          ignoreServerError: true,
          signal: request.signal,
        })
        if (!request.signal.aborted) show({ html: rendered, failed: false })
      } catch {
        if (!request.signal.aborted) show((before) => ({ ...before, failed: true }))
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [api, text, isEmpty])
  return (
    <section id={id} aria-label={label} {...(isPanel && { role: 'tabpanel' })} className={styles.preview}>
      {failed && <Notice tone="warning">{t('preview.failed')}</Notice>}
      {isEmpty ? <p className={styles.hint}>{t('preview.empty')}</p> : <Prose html={html} />}
    </section>
  )
}
