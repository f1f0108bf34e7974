import { useText } from '@stoa/sdk/web'
import { countWords } from './count-words.ts'
import styles from './editor.module.css'

/** From this share of the limit on, what is left is shown instead of what is written. */
const CLOSE = 0.9

/** How much is written, in words; near the limit, how many characters are left. */
export function WordCount({ text, most }: { text: string; most?: number }) {
  const t = useText('editor')
  const left = most === undefined ? Number.POSITIVE_INFINITY : most - text.length
  if (most !== undefined && left <= most * (1 - CLOSE))
    return (
      <span className={styles.count} data-close="true" role="status">
        {t('count.left', { count: left })}
      </span>
    )
  const words = countWords(text)
  return <span className={styles.count}>{words > 0 ? t('count.words', { count: words }) : ''}</span>
}
