import { useText } from '@stoa/sdk/web'
import type { KeyboardEvent } from 'react'
import { useRef } from 'react'
import styles from './editor.module.css'

export type EditorView = 'write' | 'preview'

const views: EditorView[] = ['write', 'preview']

/** Two tabs where there is no room for both at once. */
export function ViewSwitch({ view, onView, base }: { view: EditorView; onView(view: EditorView): void; base: string }) {
  const t = useText('editor')
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    const other = event.key === 'Home' ? 'write' : event.key === 'End' ? 'preview' : view === 'write' ? 'preview' : 'write'
    onView(other)
    list.current?.querySelectorAll('button')[views.indexOf(other)]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={t('view.label')} className={styles.views} onKeyDown={onKeyDown}>
      {views.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`${base}-${one}-tab`}
          aria-controls={`${base}-${one}`}
          aria-selected={view === one}
          tabIndex={view === one ? 0 : -1}
          className={styles.view}
          onClick={() => onView(one)}
        >
          {t(`view.${one}`)}
        </button>
      ))}
    </div>
  )
}
