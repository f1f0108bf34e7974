import { Dialog } from '@stoa/sdk/ui/dialog'
import { useState } from 'react'
import { useCore } from '../kernel/core.ts'
import styles from './key-list.module.css'

const keys: [keys: string[], text: string][] = [
  [['/'], 'find'],
  [['c'], 'write'],
  [['g', 'h'], 'home'],
  [['j'], 'next'],
  [['k'], 'previous'],
  [['Ctrl', 'Enter'], 'send'],
  [['?'], 'help'],
]

/** Name of what a letter presses; counts in it are no part. */
// biome-ignore lint/performance/useDomNodeTextContent: the first line as it is drawn
const nameOf = (button: HTMLElement): string => button.ariaLabel ?? button.innerText.split('\n')[0] ?? ''

/** The letters that press something on this page. */
const lettersHere = (): Map<string, string> =>
  new Map(
    [...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts]:enabled, main a[aria-keyshortcuts]')].map((button) => [
      button.getAttribute('aria-keyshortcuts') ?? '',
      nameOf(button),
    ]),
  )

/** The site's keys, and those of the page. */
export default function KeyList({ onClose }: { onClose(): void }) {
  const t = useCore().kernel.useText('core')
  const [letters] = useState(lettersHere)
  const all: [keys: string[], text: string][] = [
    ...keys.map(([press, text]): [string[], string] => [press, t(`keys.${text}`)]),
    ...[...letters].map(([key, text]): [string[], string] => [[key], text]),
  ]
  return (
    <Dialog open onClose={onClose} title={t('keys.title')}>
      <dl className={styles.keys}>
        {all.map(([press, text]) => (
          <div key={text}>
            <dt>
              {press.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
