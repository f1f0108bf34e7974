import type { ReplyOf } from '@stoa/sdk'
import { useApi, useSite, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { experienceCalls } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
import styles from './post-form.module.css'

type Similar = ReplyOf<typeof experienceCalls.similar>[number]

const shown = 5
const pauseMs = 500

/** Posts like the title that is being typed, below its field; opened in another tab, so that nothing written is left. */
export function SimilarPosts({ title }: { title: string }) {
  const t = useText('experiences')
  const site = useSite()
  const found = useSimilar(title.trim())
  if (found.length === 0) return null
  return (
    <aside className={styles.similar} aria-live="polite">
      <h2>{t('form.similar')}</h2>
      <ul className={styles.matches}>
        {found.map((post) => (
          <li key={post.id}>
            <a href={pathOf(site, post)} target="_blank" rel="noopener">
              {post.title}
            </a>
            <span>{t('form.similar_answers', { count: post.answer_count })}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}

/**
 * Posts like a title, at most five.
 * @param waitMs pause after which a title counts as typed
 */
export function useSimilar(title: string, waitMs = pauseMs): Similar[] {
  const calls = useApi()
  const [found, setFound] = useState<Similar[]>([])
  useEffect(() => {
    if (title.length < 2) {
      setFound([])
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      calls
        .send(experienceCalls.similar, {
          query: { title: title.slice(0, 150) },
          signal: stop.signal,
          passingError: true,
          ignoreServerError: true,
        })
        .then(
          (posts) => setFound(posts.slice(0, shown)),
          () => undefined,
        )
    }, waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [title, calls, waitMs])
  return found
}
