import { useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './prose.module.css'

interface ProseProps {
  /** Sanitised by the server. */
  html: string
  /** For small print such as comments. */
  size?: 'small' | 'medium'
  className?: string
}

/** Text that people wrote, as HTML. Once the page lives, code blocks get a copy button and wide parts a way in for keyboards. */
export function Prose({ html, size = 'medium', className }: ProseProps) {
  const t = useText('core')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    for (const wide of box.current.querySelectorAll<HTMLElement>('pre, table')) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
    for (const task of box.current.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
      task.ariaLabel = task.closest('li')?.textContent?.trim() ?? ''
    const undo = [...box.current.querySelectorAll('pre')].map((block) => addCopyButton(block, t('kit.copy'), t('kit.copied')))
    return () => {
      for (const one of undo) one()
    }
  }, [html, t])
  return (
    <div
      ref={box}
      className={classNames(styles.prose, size === 'small' && styles.small, className)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

const COPIED_MS = 2000

/** Puts the block into a box with a button. @returns how to take it out again */
function addCopyButton(block: HTMLPreElement, copy: string, copied: string): () => void {
  const code = block.textContent ?? ''
  const frame = document.createElement('div')
  frame.className = styles.frame as string
  const button = document.createElement('button')
  button.type = 'button'
  button.className = styles.copy as string
  button.replaceChildren(copy)
  let timer: ReturnType<typeof setTimeout> | undefined
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(code)
    button.replaceChildren(copied)
    clearTimeout(timer)
    timer = setTimeout(() => button.replaceChildren(copy), COPIED_MS)
  })
  block.replaceWith(frame)
  frame.append(block, button)
  return () => {
    clearTimeout(timer)
    frame.replaceWith(block)
  }
}
