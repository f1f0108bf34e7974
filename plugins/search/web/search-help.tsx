import { Link, useText } from '@stoa/sdk/web'
import styles from './search-page.module.css'

const tips = ['phrase', 'tag', 'user', 'score', 'answers', 'experience', 'comment', 'accepted'] as const
/** Those that are a search by themselves. */
const complete = new Set<string>(['score', 'answers', 'experience', 'comment', 'accepted'])

/** What can be typed, folded away beside results. */
export function SearchHelp({ base, open }: { base: string; open: boolean }) {
  const t = useText('search')
  return (
    <details className={styles.help} open={open}>
      <summary>{t('help.title')}</summary>
      <dl>
        {tips.map((tip) => {
          const example = t(`help.${tip}.write`)
          return (
            <div key={tip}>
              <dt>
                {complete.has(tip) ? (
                  <Link to={`${base}?q=${encodeURIComponent(example)}`}>
                    <code>{example}</code>
                  </Link>
                ) : (
                  <code>{example}</code>
                )}
              </dt>
              <dd>{t(`help.${tip}.means`)}</dd>
            </div>
          )
        })}
      </dl>
    </details>
  )
}
