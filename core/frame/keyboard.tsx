import { Dialog } from '@stoa/sdk/ui/dialog'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useCore } from '../kernel/core.ts'
import styles from './keyboard.module.css'

const keys: [keys: string[], text: string][] = [
  [['/'], 'find'],
  [['c'], 'write'],
  [['g', 'h'], 'home'],
  [['j'], 'next'],
  [['k'], 'previous'],
  [['?'], 'help'],
]

/** Time within which `g` and `h` count as one. */
const SEQUENCE_MS = 1000

/** Listens to the site's keys; gives the list of them while it is open. */
export function useKeyboard(): ReactNode {
  const core = useCore()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let lastG = 0
    const onKey = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        document.querySelector('dialog[open]')
      )
        return
      const act = actionOf(event.key, Date.now() - lastG < SEQUENCE_MS)
      lastG = event.key === 'g' ? Date.now() : 0
      if (!act) return
      event.preventDefault()
      act()
    }
    const actionOf = (key: string, afterG: boolean): (() => void) | undefined => {
      if (key === 'h' && afterG) return () => core.goPlace('home', false)
      if (key === '/') return focusFinder
      if (key === 'c' && core.place('ask') !== undefined) return () => core.goPlace('ask', false)
      if (key === '?') return () => setOpen(true)
      return undefined
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [core])
  return open ? <KeyList onClose={() => setOpen(false)} /> : null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function focusFinder(): void {
  document.querySelector<HTMLElement>('header [role=search] input, header input[type=search]')?.focus()
}

function KeyList({ onClose }: { onClose(): void }) {
  const t = useCore().kernel.useText('core')
  return (
    <Dialog open onClose={onClose} title={t('keys.title')}>
      <dl className={styles.keys}>
        {keys.map(([press, text]) => (
          <div key={text}>
            <dt>
              {press.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${text}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
